// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of collectives, matched between ranks by place in the source and
// number, and split into wait and transfer.

#ifndef LOOPSCOPE_ANALYSIS_RANKINSTANCES_H
#define LOOPSCOPE_ANALYSIS_RANKINSTANCES_H

#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// An instance that all ranks have.
struct MatchedInstance {
  /// A step, by its loop's node and its number in the first rank.
  std::pair<uint32_t, uint64_t> Step;
  std::vector<const CollectiveInstance *> Of; ///< by rank
  std::vector<int64_t> WaitNs;                ///< by rank
  int64_t transferNs(size_t Rank) const { return Of[Rank]->Ns - WaitNs[Rank]; }
};

struct MatchedInstances {
  std::vector<MatchedInstance> List; ///< in the first rank's order
  bool HasOneClock = false;
  std::vector<std::string> Notes; ///< places that can't be compared, and why
};

/// Matches the instances of ALL whose nodes WITHIN, which has a flag per run
/// and node, has: those of one stage's steps.
MatchedInstances matchCollectives(const std::vector<Run> &All,
                                  const std::vector<std::vector<bool>> &Within);

/// The outermost STEP that node N of P is in; None outside.
uint32_t outermostStepOf(const Run &P, uint32_t N);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKINSTANCES_H
