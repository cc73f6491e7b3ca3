// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile's history. Its bins were made by looks at the call paths' sums;
// what came after the last look is in the call paths only, and becomes part of
// the last bin or one of its own.

#ifndef LOOPSCOPE_RUN_READ_HISTORYREADER_H
#define LOOPSCOPE_RUN_READ_HISTORYREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <unordered_map>
#include <vector>

namespace loopscope {

/// The checked records of a history, in order of time and without gaps.
struct HistoryRecords {
  std::vector<loopscope_history_lane> Lanes;
  std::vector<loopscope_history_bin> Bins;
  /// Of all loops, each within one of Bins.
  std::vector<loopscope_history_steps> Steps;

  uint64_t Bad = 0; ///< records that no runtime writes; left out

  /// The end of the last bin, in ticks; 0 without bins.
  uint64_t lastTicks() const {
    return Bins.empty() ? 0 : Bins.back().end_ticks;
  }
};

/// Reads them. Call before the call paths are read, which in a running program
/// go on.
HistoryRecords readHistoryRecords(ProfileBytes &Records);

/// The history of \p R, whose tree is complete. \p SiteOf: the file's numbers
/// of sites -> ours.
RunHistory makeHistory(const HistoryRecords &Records, const Clock &Ticks,
                       const std::unordered_map<uint32_t, uint32_t> &SiteOf,
                       uint64_t StartTicks, const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_HISTORYREADER_H
