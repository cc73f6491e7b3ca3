// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches instances of collectives, and rejects places where they can't be
// compared.

#include "Analysis/Ranks/RankInstances.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/RollCall.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A place in the source: name, file, line, function.
using InstancePlace =
    std::tuple<std::string, std::string, uint32_t, std::string>;

InstancePlace placeOf(const Run &R, uint32_t Node) {
  uint32_t At = R.Nodes[Node].Site;
  if (At == None)
    return {};
  const Site &S = R.Sites[At];
  return {S.Name, S.File, S.Line, S.Function};
}

std::string nameOf(const InstancePlace &At) {
  const std::string &File = std::get<1>(At);
  if (std::get<2>(At) == 0) // a communicator
    return std::get<0>(At) + ", " + File;
  return std::get<0>(At) + ", " + placeText(fileName(File), std::get<2>(At));
}

using Instances = std::vector<const CollectiveInstance *>;

// One place's instances, by rank.
struct PlaceInstances {
  std::vector<Instances> Of;                // by number, each once
  std::vector<std::vector<uint32_t>> Nodes; // empty: it never gets there
  bool HasSeveralRanks = false; // of the communicator, in one process
};

// The processes by host and by clock; times of ranks with the same number are
// comparable.
struct RankClocks {
  std::vector<size_t> HostOf;
  std::vector<size_t> ClockOf;
  size_t Hosts = 0;

  explicit RankClocks(const std::vector<Run> &All) {
    std::map<std::string, size_t> ByName;
    std::map<std::string, std::vector<size_t>> Clocks; // first rank of each
    for (size_t R = 0; R < All.size(); ++R) {
      HostOf.push_back(
          ByName.try_emplace(All[R].Host, ByName.size()).first->second);
      std::vector<size_t> &Known = Clocks[All[R].Host];
      auto Same = std::find_if(Known.begin(), Known.end(), [&](size_t First) {
        return clocksDiffer(All[First], All[R]).empty();
      });
      ClockOf.push_back(Same == Known.end() ? R : *Same);
      if (Same == Known.end())
        Known.push_back(R);
    }
    Hosts = ByName.size();
  }

  bool areOne(const std::vector<size_t> &Ranks) const {
    return std::all_of(Ranks.begin(), Ranks.end(), [&](size_t R) {
      return ClockOf[R] == ClockOf[Ranks.front()];
    });
  }
};

// Whether some rank left before another rank of its host had arrived.
bool isLeftEarly(const std::vector<Run> &All, const RankClocks &Clocks,
                 const std::vector<size_t> &Ranks, const MatchedInstance &Of) {
  // By host: the last to enter, the first to leave.
  std::vector<std::pair<int64_t, int64_t>> ByHost(Clocks.Hosts,
                                                  {INT64_MIN, INT64_MAX});
  for (size_t I = 0; I < Ranks.size(); ++I) {
    auto &[LastEnter, FirstExit] = ByHost[Clocks.HostOf[Ranks[I]]];
    LastEnter = std::max(LastEnter, enterNs(All[Ranks[I]], *Of.Of[I]));
    FirstExit = std::min(FirstExit, exitNs(All[Ranks[I]], *Of.Of[I]));
  }
  return std::any_of(ByHost.begin(), ByHost.end(), [](const auto &Each) {
    return Each.first != INT64_MIN &&
           Each.second < Each.first - RanksClockErrorNs;
  });
}

void splitByClock(const std::vector<Run> &All, const std::vector<size_t> &Ranks,
                  MatchedInstance &Of) {
  int64_t Last = INT64_MIN;
  for (size_t I = 0; I < Ranks.size(); ++I)
    Last = std::max(Last, enterNs(All[Ranks[I]], *Of.Of[I]));
  for (size_t I = 0; I < Ranks.size(); ++I)
    Of.WaitNs.push_back(std::clamp<int64_t>(
        Last - enterNs(All[Ranks[I]], *Of.Of[I]), 0, Of.Of[I]->Ns));
}

void splitByDuration(MatchedInstance &Of) {
  int64_t Least = INT64_MAX;
  for (const CollectiveInstance *Each : Of.Of)
    Least = std::min(Least, Each->Ns);
  for (const CollectiveInstance *Each : Of.Of)
    Of.WaitNs.push_back(Each->Ns - Least);
}

bool moveTheSame(const MatchedInstance &Of) {
  return std::all_of(Of.Of.begin(), Of.Of.end(), [&](const auto *Each) {
    return Each->Bytes == Of.Of.front()->Bytes;
  });
}

// The instances of one place that all of RANKS have.
std::vector<MatchedInstance> matchPlace(const std::vector<Run> &All,
                                        const std::vector<size_t> &Ranks,
                                        const PlaceInstances &At) {
  std::vector<MatchedInstance> Result;
  std::vector<size_t> Next(Ranks.size()); // by rank: of its instances
  const Run &R = All[Ranks.front()];
  for (const CollectiveInstance *First : At.Of[Ranks.front()]) {
    MatchedInstance Found;
    Found.Of.reserve(Ranks.size());
    for (size_t I = 0; I < Ranks.size(); ++I) {
      const Instances &Own = At.Of[Ranks[I]];
      while (Next[I] < Own.size() && Own[Next[I]]->Number < First->Number)
        ++Next[I];
      if (Next[I] == Own.size() || Own[Next[I]]->Number != First->Number ||
          Own[Next[I]]->Operations != First->Operations)
        break;
      Found.Of.push_back(Own[Next[I]]);
    }
    if (Found.Of.size() != Ranks.size())
      continue;
    uint32_t Step = outermostStepOf(R, First->Node);
    Found.Step = {Step == None ? None : R.Nodes[Step].Parent, First->Step};
    Result.push_back(std::move(Found));
  }
  return Result;
}

// Why a place's instances can't be split; empty if they can.
std::string whyNot(const std::vector<Run> &All, const RankClocks &Clocks,
                   const std::string &Name, const MatchedPlace &At) {
  auto Early = static_cast<double>(
      std::count_if(At.List.begin(), At.List.end(), [&](const auto &Each) {
        return isLeftEarly(All, Clocks, At.Ranks, Each);
      }));
  if (Early > RanksLeftEarly * static_cast<double>(At.List.size()))
    return fmt::format(
        "{} is left out: ranks leave it before the last one arrives, so it "
        "doesn't show how long they wait for each other.",
        Name);
  if (!At.HasOneClock &&
      !std::all_of(At.List.begin(), At.List.end(), moveTheSame))
    return fmt::format(
        "{} is left out: ranks move different amounts of data there, and "
        "across hosts that looks the same as waiting.",
        Name);
  return {};
}

// Why a communicator's operations on devices can't be compared; empty if all of
// its ranks are present, each in its own process.
std::string notWhole(const std::string &Name, size_t Processes,
                     const PlaceInstances &At) {
  if (At.HasSeveralRanks)
    return fmt::format(
        "{} is left out: one process holds several ranks of its communicator.",
        Name);
  for (const Instances &Own : At.Of)
    if (!Own.empty() && Own.front()->Ranks != 0 &&
        Own.front()->Ranks != Processes)
      return fmt::format(
          "{} is left out: only {} of its communicator's {} ranks {} here.",
          Name, Processes, Own.front()->Ranks, Processes == 1 ? "is" : "are");
  return {};
}

// Why a place isn't compared when that needs all ranks.
std::string notOfAll(const std::vector<Run> &All, const MatchedPlace &At) {
  std::vector<int64_t> Without;
  for (size_t R = 0; R < All.size(); ++R)
    if (!std::binary_search(At.Ranks.begin(), At.Ranks.end(), R))
      Without.push_back(All[R].Rank);
  return fmt::format("{} is left out: rank{} {} never {} it.", At.Name,
                     Without.size() == 1 ? "" : "s", rangesText(Without),
                     Without.size() == 1 ? "reaches" : "reach");
}

// What \p All have at each place, in the order of the places.
std::map<InstancePlace, PlaceInstances>
findPlaces(const std::vector<Run> &All,
           const std::vector<std::vector<bool>> &Within) {
  std::map<InstancePlace, PlaceInstances> Places;
  for (size_t Which = 0; Which < All.size(); ++Which) {
    const Run &R = All[Which];
    std::vector<PlaceInstances *> Of(R.Nodes.size()); // by node
    for (uint32_t N = 0; N < R.Nodes.size(); ++N) {
      if (!Within[Which][N] || (R.Nodes[N].Kind != LOOPSCOPE_KIND_COLLECTIVE &&
                                !R.Nodes[N].IsEnqueued))
        continue;
      Of[N] = &Places[placeOf(R, N)];
      Of[N]->Of.resize(All.size());
      Of[N]->Nodes.resize(All.size());
      Of[N]->Nodes[Which].push_back(N);
    }
    for (const CollectiveInstance &Each : R.Collectives)
      if (PlaceInstances *To = Of[Each.Node])
        To->Of[Which].push_back(&Each);
  }
  for (auto &[Where, Each] : Places)
    for (Instances &Own : Each.Of) {
      std::stable_sort(Own.begin(), Own.end(),
                       [](auto *A, auto *B) { return A->Number < B->Number; });
      for (size_t I = 1; I < Own.size(); ++I)
        Each.HasSeveralRanks |= Own[I]->Rank != Own.front()->Rank;
      Own.erase(
          std::unique(Own.begin(), Own.end(),
                      [](auto *A, auto *B) { return A->Number == B->Number; }),
          Own.end());
    }
  return Places;
}
} // namespace

int64_t loopscope::enterNs(const Run &R, const CollectiveInstance &Of) {
  return saturatingAdd(R.StartMonotonicNs, Of.EnterNs);
}

int64_t loopscope::exitNs(const Run &R, const CollectiveInstance &Of) {
  return saturatingAdd(enterNs(R, Of), Of.Ns);
}

uint32_t loopscope::outermostStepOf(const Run &R, uint32_t N) {
  uint32_t Step = None;
  for (; N != None; N = R.Nodes[N].Parent)
    if (R.Nodes[N].Kind == LOOPSCOPE_KIND_STEP)
      Step = N;
  return Step;
}

std::vector<MatchedPlace>
loopscope::matchPlaces(const std::vector<Run> &All,
                       const std::vector<std::vector<bool>> &Within) {
  RankClocks Clocks(All);
  std::vector<MatchedPlace> Result;
  for (auto &[Where, Each] : findPlaces(All, Within)) {
    MatchedPlace Next;
    Next.Name = nameOf(Where);
    for (size_t R = 0; R < All.size(); ++R) {
      if (Each.Nodes[R].empty())
        continue;
      Next.Ranks.push_back(R);
      Next.Nodes.push_back(std::move(Each.Nodes[R]));
    }
    Next.HasOneClock = Clocks.areOne(Next.Ranks);
    Next.WhyNot = notWhole(Next.Name, Next.Ranks.size(), Each);
    if (Next.WhyNot.empty()) {
      Next.List = matchPlace(All, Next.Ranks, Each);
      Next.WhyNot = whyNot(All, Clocks, Next.Name, Next);
    }
    if (!Next.WhyNot.empty())
      Next.List.clear();
    for (MatchedInstance &Instance : Next.List)
      if (Next.HasOneClock)
        splitByClock(All, Next.Ranks, Instance);
      else
        splitByDuration(Instance);
    Result.push_back(std::move(Next));
  }
  return Result;
}

int64_t loopscope::finishedNs(const Node &N) {
  return N.IsEnqueued ? N.OnDeviceNs : N.FinishedNs;
}

PlaceTime loopscope::placeTimeOf(const std::vector<Run> &All,
                                 const MatchedPlace &At, size_t Rank) {
  PlaceTime Result;
  for (uint32_t N : At.Nodes[Rank]) {
    const Node &Of = All[At.Ranks[Rank]].Nodes[N];
    Result.Calls += Of.Spans.count();
    Result.Ns = saturatingAdd(Result.Ns, finishedNs(Of));
  }
  double Transfer = 0;
  for (const MatchedInstance &Each : At.List) {
    Result.Compared += Each.Of[Rank]->Operations;
    Transfer += static_cast<double>(Each.transferNs(Rank));
  }
  if (Result.Compared != 0)
    Transfer *= static_cast<double>(std::max(Result.Calls, Result.Compared)) /
                static_cast<double>(Result.Compared);
  Result.Compared = std::min(Result.Compared, Result.Calls);
  Result.WaitNs = static_cast<int64_t>(
      std::max(0.0, static_cast<double>(Result.Ns) - Transfer));
  return Result;
}

MatchedInstances
loopscope::matchCollectives(const std::vector<Run> &All,
                            const std::vector<std::vector<bool>> &Within) {
  MatchedInstances Result;
  Result.HasOneClock = clocksDiffer(All).empty();
  for (MatchedPlace &Each : matchPlaces(All, Within)) {
    if (Each.Ranks.size() != All.size()) {
      Result.Notes.push_back(notOfAll(All, Each));
      if (!Each.WhyNot.empty())
        Result.Unsplit.push_back(std::move(Each.WhyNot));
      continue;
    }
    if (!Each.WhyNot.empty()) {
      Result.Notes.push_back(Each.WhyNot);
      Result.Unsplit.push_back(std::move(Each.WhyNot));
    }
    std::move(Each.List.begin(), Each.List.end(),
              std::back_inserter(Result.List));
  }
  std::stable_sort(Result.List.begin(), Result.List.end(),
                   [](const MatchedInstance &A, const MatchedInstance &B) {
                     return A.Of.front()->EnterNs < B.Of.front()->EnterNs;
                   });
  return Result;
}

std::string loopscope::coverageNote(double Covered) {
  // The last instance may still be running.
  constexpr double AsGoodAsAll = 0.995;
  if (Covered >= AsGoodAsAll)
    return {};
  return fmt::format("Wait and transfer are estimated from the {:.1f}% of the "
                     "collectives that every rank still has on record.",
                     Covered * 100);
}
