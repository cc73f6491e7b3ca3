// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligns the clocks of several hosts by the run's own communication: all ranks
// leave a short collective at nearly the same time.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_CLOCKALIGNMENT_H
#define LOOPSCOPE_ANALYSIS_RANKS_CLOCKALIGNMENT_H

#include "Run/Combine/Merge.h"
#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

struct ClockAlignment {
  std::vector<ClockLine> Lines; ///< by run, onto the first one's clock
  size_t Clocks = 1;
  size_t Instances = 0; ///< from which offsets were computed, for all clocks
  /// Those of them that some rank leaves before the last has arrived.
  size_t Violations = 0;
  /// How far apart ranks' exits are, in all but one instance of 20.
  int64_t SpreadNs = 0;
  std::string WhyNot; ///< empty: Lines are known

  /// A sentence about the alignment; empty if there is one clock.
  std::string note() const;
};

/// Aligns the clocks of \p All, ranks of one run. The offset of a clock is the
/// median difference between its exits and the first run's, over the shorter
/// half of the instances that both have; its drift is the median of the slopes
/// between them (Theil and Sen), or 0 where that is more than clocks drift.
ClockAlignment alignClocks(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_CLOCKALIGNMENT_H
