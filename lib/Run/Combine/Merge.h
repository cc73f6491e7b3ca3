// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges several profiles into one.

#ifndef LOOPSCOPE_RUN_COMBINE_MERGE_H
#define LOOPSCOPE_RUN_COMBINE_MERGE_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// One profile with all threads of \p All, which isn't empty. Its wall time is
/// the sum of theirs, so that shares stay below 100 %. Sites with the same
/// kind, name, place and function become one. Timelines are left out.
Run mergeProfiles(std::vector<Run> All);

/// Why the times of day of \p All can't be converted to one clock; empty if
/// they can.
std::string clocksDiffer(const std::vector<Run> &All);
std::string clocksDiffer(const Run &A, const Run &B);

/// How to convert a process's time, on its host's clock, to another clock.
struct ClockLine {
  int64_t OffsetNs = 0; ///< at CentreNs
  int64_t CentreNs = 0;
  double Drift = 0; ///< by how much faster the other runs

  int64_t at(int64_t Ns) const {
    return saturatingAdd(
        saturatingAdd(Ns, OffsetNs),
        static_cast<int64_t>(Drift * static_cast<double>(Ns - CentreNs)));
  }
};

/// The same with timelines. Each of \p Lines converts the clock of the run in
/// \p All with the same index.
Run mergeTimelines(std::vector<Run> All, const std::vector<ClockLine> &Lines);

/// The same with timelines, on the clock of the process that started first. An
/// error if there is no common clock: processes ran on different hosts, or
/// after different boots of a host.
Result<Run> mergeTimelines(std::vector<Run> All);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_MERGE_H
