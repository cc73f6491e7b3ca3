// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matching, and what makes a place in the source unfit for it.

#include "Analysis/RankInstances.h"

#include "Analysis/Judge.h"
#include "Analysis/Thresholds.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/RollCall.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A place in the source: name, file, line, function.
using Place = std::tuple<std::string, std::string, uint32_t, std::string>;

Place placeOf(const Run &P, uint32_t Node) {
  uint32_t At = P.Nodes[Node].Site;
  if (At == None)
    return {};
  const Site &S = P.Sites[At];
  return {S.Name, S.File, S.Line, S.Function};
}

std::string nameOf(const Place &At) {
  const std::string &File = std::get<1>(At);
  return std::get<0>(At) + ", " +
         placeText(File.substr(File.rfind('/') + 1), std::get<2>(At));
}

using ByNumber = std::map<uint64_t, const CollectiveInstance *>;

// One place's instances, by rank.
struct PlaceInstances {
  std::vector<ByNumber> Of;
  std::vector<bool> IsThere; // whether the rank's tree has the place
};

// When an instance began and ended on the clock of its host.
int64_t enterNs(const Run &P, const CollectiveInstance &Of) {
  return saturatingAdd(P.StartMonotonicNs, Of.EnterNs);
}
int64_t exitNs(const Run &P, const CollectiveInstance &Of) {
  return saturatingAdd(enterNs(P, Of), Of.Ns);
}

// Whether some rank left before another one of its host had come.
bool isLeftEarly(const std::vector<Run> &All, const MatchedInstance &Of) {
  std::map<std::string, std::pair<int64_t, int64_t>> ByHost; // enter, exit
  for (size_t R = 0; R < All.size(); ++R) {
    auto [At, IsNew] = ByHost.try_emplace(All[R].Host, INT64_MIN, INT64_MAX);
    auto &[LastEnter, FirstExit] = At->second;
    LastEnter = std::max(LastEnter, enterNs(All[R], *Of.Of[R]));
    FirstExit = std::min(FirstExit, exitNs(All[R], *Of.Of[R]));
  }
  return std::any_of(ByHost.begin(), ByHost.end(), [](const auto &Each) {
    return Each.second.second < Each.second.first - RanksClockErrorNs;
  });
}

void splitByClock(const std::vector<Run> &All, MatchedInstance &Of) {
  int64_t Last = INT64_MIN;
  for (size_t R = 0; R < All.size(); ++R)
    Last = std::max(Last, enterNs(All[R], *Of.Of[R]));
  for (size_t R = 0; R < All.size(); ++R)
    Of.WaitNs.push_back(std::clamp<int64_t>(Last - enterNs(All[R], *Of.Of[R]),
                                            0, Of.Of[R]->Ns));
}

void splitByDuration(MatchedInstance &Of) {
  int64_t Least = INT64_MAX;
  for (const CollectiveInstance *Each : Of.Of)
    Least = std::min(Least, Each->Ns);
  for (const CollectiveInstance *Each : Of.Of)
    Of.WaitNs.push_back(Each->Ns - Least);
}

// The instances of one place that all ranks have.
std::vector<MatchedInstance> matchPlace(const std::vector<Run> &All,
                                        const PlaceInstances &At) {
  std::vector<MatchedInstance> Result;
  for (const auto &[Number, First] : At.Of.front()) {
    MatchedInstance Next;
    for (const ByNumber &Each : At.Of)
      if (auto Found = Each.find(Number); Found != Each.end())
        Next.Of.push_back(Found->second);
    if (Next.Of.size() != All.size())
      continue;
    const Run &P = All.front();
    uint32_t Step = outermostStepOf(P, First->Node);
    Next.Step = {Step == None ? None : P.Nodes[Step].Parent, First->Step};
    Result.push_back(std::move(Next));
  }
  return Result;
}

// Why a place isn't compared; empty: it is.
std::string whyNot(const std::vector<Run> &All, const Place &Where,
                   const PlaceInstances &At,
                   const std::vector<MatchedInstance> &Found) {
  std::vector<int64_t> Without;
  for (size_t R = 0; R < All.size(); ++R)
    if (!At.IsThere[R])
      Without.push_back(All[R].Rank);
  if (!Without.empty())
    return fmt::format("{} is left out: rank{} {} never {} there.",
                       nameOf(Where), Without.size() == 1 ? "" : "s",
                       rangesText(Without),
                       Without.size() == 1 ? "comes" : "come");
  auto Early = static_cast<double>(
      std::count_if(Found.begin(), Found.end(),
                    [&](const auto &Each) { return isLeftEarly(All, Each); }));
  if (Early > RanksLeftEarly * static_cast<double>(Found.size()))
    return fmt::format("{} is left out: ranks leave it before the last one has "
                       "come, so how long they wait for each other isn't in "
                       "it.",
                       nameOf(Where));
  return {};
}
} // namespace

uint32_t loopscope::outermostStepOf(const Run &P, uint32_t N) {
  uint32_t Step = None;
  for (; N != None; N = P.Nodes[N].Parent)
    if (P.Nodes[N].Kind == LOOPSCOPE_KIND_STEP)
      Step = N;
  return Step;
}

MatchedInstances
loopscope::matchCollectives(const std::vector<Run> &All,
                            const std::vector<std::vector<bool>> &Within) {
  MatchedInstances Result;
  Result.HasOneClock = clocksDiffer(All).empty();
  std::map<Place, PlaceInstances> Places;
  auto At = [&](const Run &P, uint32_t Node) -> PlaceInstances & {
    PlaceInstances &To = Places[placeOf(P, Node)];
    To.Of.resize(All.size());
    To.IsThere.resize(All.size());
    return To;
  };
  for (size_t R = 0; R < All.size(); ++R) {
    const Run &P = All[R];
    for (uint32_t N = 0; N < P.Nodes.size(); ++N)
      if (Within[R][N] && P.Nodes[N].Kind == LOOPSCOPE_KIND_COLLECTIVE)
        At(P, N).IsThere[R] = true;
    for (const CollectiveInstance &Each : P.Collectives)
      if (Within[R][Each.Node])
        At(P, Each.Node).Of[R].emplace(Each.Number, &Each);
  }
  for (const auto &[Where, Each] : Places) {
    std::vector<MatchedInstance> Found = matchPlace(All, Each);
    if (std::string Why = whyNot(All, Where, Each, Found); !Why.empty()) {
      Result.Notes.push_back(std::move(Why));
      continue;
    }
    for (MatchedInstance &Next : Found) {
      if (Result.HasOneClock)
        splitByClock(All, Next);
      else
        splitByDuration(Next);
      Result.List.push_back(std::move(Next));
    }
  }
  std::stable_sort(Result.List.begin(), Result.List.end(),
                   [](const MatchedInstance &A, const MatchedInstance &B) {
                     return A.Of.front()->EnterNs < B.Of.front()->EnterNs;
                   });
  return Result;
}
