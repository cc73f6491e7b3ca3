// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who comes last, step by step, and why.

#ifndef LOOPSCOPE_ANALYSIS_STRAGGLERS_H
#define LOOPSCOPE_ANALYSIS_STRAGGLERS_H

#include "Analysis/RankInstances.h"
#include "Analysis/Ranks.h"

#include <algorithm>
#include <vector>

namespace loopscope {

/// The upper median of what the ranks but \p Late have; at least one other.
template <typename T> T medianOfOthers(std::vector<T> Of, size_t Late) {
  Of.erase(Of.begin() + static_cast<ptrdiff_t>(Late));
  auto Middle = Of.begin() + static_cast<ptrdiff_t>(Of.size() / 2);
  std::nth_element(Of.begin(), Middle, Of.end());
  return *Middle;
}

/// Fills what TO has of stragglers, and the rows' LastCount to CulpritPart,
/// from MATCHED, the instances of TO's steps. The rows' times are known.
/// MOSTLOST: the part of the step time that waiting can cost at most, 0 to 1.
void findStragglers(const std::vector<Run> &All,
                    const std::vector<MatchedInstance> &Matched,
                    double MostLost, StageRanks &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STRAGGLERS_H
