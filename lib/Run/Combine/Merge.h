// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several profiles made one.

#ifndef LOOPSCOPE_RUN_COMBINE_MERGE_H
#define LOOPSCOPE_RUN_COMBINE_MERGE_H

#include "Run/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// One profile with all threads of ALL, which are at least one; its wall time
/// is the sum of theirs, so that shares stay below 100 %. Sites are one where
/// kind, name, place and function agree. Timelines are left out.
Run mergeProfiles(std::vector<Run> All);

/// Why the times of day of ALL can't be put onto one clock; empty when they
/// can.
std::string clocksDiffer(const std::vector<Run> &All);
std::string clocksDiffer(const Run &A, const Run &B);

/// How a process's time of its host's clock becomes another clock's.
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

/// The same with the timelines, each run of \p All on the clock that its line
/// of \p Lines leads to.
Run mergeTimelines(std::vector<Run> All, const std::vector<ClockLine> &Lines);

/// The same with the timelines, on the clock of the process that started first.
/// An error where there is no common clock: processes of other hosts, or of
/// another boot of theirs.
Result<Run> mergeTimelines(std::vector<Run> All);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_MERGE_H
