// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs ranks and stages.

#include "Analysis/Compare/RankDiff.h"

#include "Run/Combine/Merge.h"
#include "Run/Combine/RollCall.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
RollCall rollOf(const std::vector<Run> &All) {
  std::vector<const RunInfo *> Infos;
  for (const Run &Each : All)
    Infos.push_back(&Each);
  return callRoll(Infos);
}

bool isRank(const Run &R) {
  return R.By->KnowsOwnTime && R.Rank >= 0 && R.WorldSize > 1;
}
} // namespace

std::vector<RankPair> StageRankChange::pairs() const {
  std::map<int64_t, RankPair> Found;
  for (auto [Of, Side] : {std::pair(&Before, &RankPair::Before),
                          std::pair(&After, &RankPair::After)})
    for (const RankRow &Row : Of->Rows) {
      Found[Row.Rank].Rank = Row.Rank;
      Found[Row.Rank].*Side = &Row;
    }
  std::vector<RankPair> Result;
  for (const auto &[Rank, Each] : Found)
    Result.push_back(Each);
  return Result;
}

bool loopscope::areRanksOfOneRun(const std::vector<Run> &All) {
  if (All.size() < 2 || !std::all_of(All.begin(), All.end(), isRank))
    return false;
  RollCall Found = rollOf(All);
  return Found.Forked.empty() && Found.Runs.size() == 1 &&
         Found.Runs.front().Doubtful.empty();
}

std::vector<StageRankChange>
loopscope::compareRanks(const std::vector<Run> &Before,
                        const std::vector<Run> &After) {
  std::vector<StageRankChange> Result;
  for (auto [All, Side] : {std::pair(&Before, &StageRankChange::Before),
                           std::pair(&After, &StageRankChange::After)})
    for (StageRanks &Each : ranksOf(*All, lacksRanks(*All))) {
      auto At = std::find_if(
          Result.begin(), Result.end(),
          [&](const StageRankChange &Have) { return Have.Id == Each.Id; });
      if (At == Result.end())
        At = Result.insert(At, {Each.Id, Each.Title, {}, {}});
      (*At).*Side = std::move(Each);
    }
  return Result;
}

std::vector<Run> loopscope::ranksMerged(std::vector<Run> All) {
  RollCall Found = rollOf(All);
  std::vector<bool> IsTaken(All.size());
  std::vector<Run> Result;
  for (const RankSet &Set : Found.Runs) {
    std::vector<Run> Ranks;
    for (size_t Each : Set.Files)
      if (Set.Doubtful.empty() && isRank(All[Each])) {
        IsTaken[Each] = true;
        Ranks.push_back(std::move(All[Each]));
      }
    if (Ranks.size() == 1)
      Result.push_back(std::move(Ranks.front()));
    else if (!Ranks.empty())
      Result.push_back(mergeProfiles(std::move(Ranks)));
  }
  for (size_t I = 0; I < All.size(); ++I)
    if (!IsTaken[I])
      Result.push_back(std::move(All[I]));
  return Result;
}
