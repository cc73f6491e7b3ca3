// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks of several hosts, put onto one by the run's own communication: all
// ranks leave a short collective at nearly the same time.

#ifndef LOOPSCOPE_ANALYSIS_CLOCKALIGNMENT_H
#define LOOPSCOPE_ANALYSIS_CLOCKALIGNMENT_H

#include "Run/Combine/Merge.h"
#include "Run/Run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

struct ClockAlignment {
  std::vector<ClockLine> Lines; ///< by run, onto the first one's clock
  size_t Clocks = 1;
  size_t Instances = 0; ///< that offsets were taken from, of all clocks
  /// Of those, the ones that some rank leaves before the last has come.
  size_t Violations = 0;
  /// By how much ranks' exits differ, but for one instance in 20.
  int64_t SpreadNs = 0;
  std::string WhyNot; ///< empty: Lines are known

  /// What to say of it; empty where there is one clock.
  std::string note() const;
};

/// Aligns the clocks of \p All, ranks of one run. Per clock, the offset is the
/// median of the difference of exits from that of the first run's clock, in the
/// shorter half of the instances that both have, and the drift the median of
/// the slopes between them (Theil and Sen).
ClockAlignment alignClocks(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_CLOCKALIGNMENT_H
