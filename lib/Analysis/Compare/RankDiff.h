// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two runs of several ranks, rank by rank.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_RANKDIFF_H
#define LOOPSCOPE_ANALYSIS_COMPARE_RANKDIFF_H

#include "Analysis/Ranks/Ranks.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A rank on both sides; null on a side that lacks it.
struct RankPair {
  int64_t Rank = -1;
  const RankRow *Before = nullptr;
  const RankRow *After = nullptr;
};

/// A stage on both sides; Rows are empty on a side without it.
struct StageRankChange {
  std::string Id, Title;
  StageRanks Before, After;

  /// By rank. Valid as long as this object.
  std::vector<RankPair> pairs() const;
};

/// Whether \p All are several ranks of one run, each of them once.
bool areRanksOfOneRun(const std::vector<Run> &All);

/// All stages with steps. Both sides satisfy areRanksOfOneRun().
std::vector<StageRankChange> compareRanks(const std::vector<Run> &Before,
                                          const std::vector<Run> &After);

/// Merges the ranks of each run in \p All, so that one Run is left per run.
std::vector<Run> ranksMerged(std::vector<Run> All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_RANKDIFF_H
