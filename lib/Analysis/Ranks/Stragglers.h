// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank comes last in each step, and why.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_STRAGGLERS_H
#define LOOPSCOPE_ANALYSIS_RANKS_STRAGGLERS_H

#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Ranks/Ranks.h"
#include "Support/Median.h"

#include <utility>
#include <vector>

namespace loopscope {

/// The upper median over all ranks but \p Late; there is at least one other.
template <typename T> T medianOfOthers(std::vector<T> Of, size_t Late) {
  Of.erase(Of.begin() + static_cast<ptrdiff_t>(Late));
  return upperMedian(std::move(Of));
}

/// Fills in \p To's straggler, and LastCount to CulpritPart of its rows, from
/// \p Matched, the instances of \p To's steps. The rows' times are known
/// already. \p MostLost: the part of the step time that waiting can cost at
/// most, 0 to 1.
void findStragglers(const std::vector<Run> &All,
                    const std::vector<MatchedInstance> &Matched,
                    double MostLost, StageRanks &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_STRAGGLERS_H
