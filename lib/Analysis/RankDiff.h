// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two runs of several ranks, rank by rank.

#ifndef LOOPSCOPE_ANALYSIS_RANKDIFF_H
#define LOOPSCOPE_ANALYSIS_RANKDIFF_H

#include "Analysis/Ranks.h"
#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A rank on both sides; null where one doesn't have it.
struct RankPair {
  int64_t Rank = -1;
  const RankRow *Before = nullptr;
  const RankRow *After = nullptr;
};

/// A stage of both; Rows are empty on a side without it.
struct StageRankChange {
  std::string Id, Title;
  StageRanks Before, After;

  /// By rank. Valid as long as this is.
  std::vector<RankPair> pairs() const;
};

/// Whether \p All are several ranks of one run, each once.
bool areRanksOfOneRun(const std::vector<Run> &All);

/// All stages with steps of both sides, for each of which that holds.
std::vector<StageRankChange> compareRanks(const std::vector<Run> &Before,
                                          const std::vector<Run> &After);

/// Merges the ranks of each run among \p All, so that each run is one.
std::vector<Run> ranksMerged(std::vector<Run> All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKDIFF_H
