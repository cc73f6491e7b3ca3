// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of ranks, and efficiencies.

#include "Analysis/Ranks/Ranks.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Ranks/LateDevices.h"
#include "Analysis/Ranks/LateRanks.h"
#include "Analysis/Ranks/Stragglers.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Combine/RollCall.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// The steps of one stage in one run, and what they contain.
struct StageSteps {
  std::vector<uint32_t> Steps;
  std::vector<bool> Within; // by node: below one of them, in no collective
};

StageSteps stepsIn(const Run &R, const Stages &Found, loopscope_kind Kind) {
  StageSteps Result;
  Result.Within.resize(R.Nodes.size());
  std::vector<bool> Below(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    bool InStep = Below[N.Parent];
    if (N.Kind == LOOPSCOPE_KIND_STEP && !InStep) {
      Below[I] = true;
      bool Counts = Found.Of[I] == Kind;
      if (Counts)
        Result.Steps.push_back(I);
      Result.Within[I] = Counts;
      continue;
    }
    Below[I] = InStep;
    Result.Within[I] = Result.Within[N.Parent] &&
                       R.Nodes[N.Parent].Kind != LOOPSCOPE_KIND_COLLECTIVE;
  }
  return Result;
}

RankRow rowOf(const Run &R, const StageSteps &In) {
  RankRow Row;
  Row.Process = R.processName();
  Row.Host = R.Host;
  Row.Rank = R.Rank;
  std::vector<int64_t> Waiting = waitingTimes(R);
  int64_t Waited = 0;
  for (uint32_t Step : In.Steps) {
    Row.Steps += R.Nodes[Step].Spans.count();
    Row.ElapsedNs = saturatingAdd(Row.ElapsedNs, includedNs(R, Step));
    Waited = saturatingAdd(Waited, Waiting[Step]);
  }
  Row.OwnNs = Row.ElapsedNs - Waited;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (!In.Within[I])
      continue;
    if (N.Kind == LOOPSCOPE_KIND_COLLECTIVE)
      Row.CollectiveNs = saturatingAdd(Row.CollectiveNs, N.InclusiveNs);
    else if (isCommunication(R, N) &&
             R.Nodes[N.Parent].Kind != LOOPSCOPE_KIND_WAIT)
      Row.MessageNs = saturatingAdd(Row.MessageNs, N.InclusiveNs);
  }
  // Collectives may be inside marked waits.
  Row.CollectiveNs = std::min(Row.CollectiveNs, Waited);
  Row.OtherWaitNs = Waited - Row.CollectiveNs;
  Row.MessageNs = std::min(Row.MessageNs, Row.OtherWaitNs);
  return Row;
}

// A stage's steps by rank, and where in them ranks wait for each other. What
// devices do isn't part of the host's time.
struct StageOfRanks {
  std::vector<StageSteps> In;
  std::vector<std::vector<bool>> InSteps;  // by rank and node
  std::vector<std::vector<bool>> OnHost;   // InSteps but for OnDevice
  std::vector<std::vector<bool>> OnDevice; // InSteps, and enqueued
  bool HasEnqueued = false;

  StageOfRanks(const std::vector<Run> &All, const std::vector<Stages> &Found,
               loopscope_kind Kind) {
    for (size_t R = 0; R < All.size(); ++R) {
      In.push_back(stepsIn(All[R], Found[R], Kind));
      InSteps.push_back(In.back().Within);
      OnHost.push_back(In.back().Within);
      OnDevice.emplace_back(All[R].Nodes.size());
      for (uint32_t I = 0; I < All[R].Nodes.size(); ++I)
        if (OnHost[R][I] && All[R].Nodes[I].IsEnqueued) {
          OnHost[R][I] = false;
          OnDevice[R][I] = HasEnqueued = true;
        }
    }
  }
};

// Splits the time in the collectives of IN, each among the ranks that come to
// its place. A rank's time is split if nearly all of it could be.
void split(const std::vector<Run> &All, const StageOfRanks &In,
           std::vector<RankRow> &Rows) {
  constexpr double NearlyAll = 0.95;
  struct Sums {
    uint64_t Calls = 0, Compared = 0;
    int64_t Ns = 0, WaitNs = 0;
  };
  std::vector<Sums> Of(All.size());
  for (const MatchedPlace &At : matchPlaces(All, In.OnHost))
    for (size_t I = 0; I < At.Ranks.size() && !At.List.empty(); ++I) {
      if (At.Ranks.size() < 2)
        continue;
      PlaceTime Time = placeTimeOf(All, At, I);
      Sums &To = Of[At.Ranks[I]];
      To.Compared += Time.Compared;
      To.Ns = saturatingAdd(To.Ns, Time.Ns);
      To.WaitNs = saturatingAdd(To.WaitNs, Time.WaitNs);
    }
  for (size_t R = 0; R < All.size(); ++R) {
    uint64_t Calls = 0;
    int64_t Finished = 0;
    for (uint32_t I = 0; I < All[R].Nodes.size(); ++I)
      if (const Node &N = All[R].Nodes[I];
          In.In[R].Within[I] && N.Kind == LOOPSCOPE_KIND_COLLECTIVE) {
        Calls += N.Spans.count();
        Finished = saturatingAdd(Finished, finishedNs(N));
      }
    RankRow &Row = Rows[R];
    if (Calls == 0 || Of[R].Compared == 0)
      continue;
    Row.Covered = std::min(1.0, static_cast<double>(Of[R].Compared) /
                                    static_cast<double>(Calls));
    if (static_cast<double>(Of[R].Ns) <
        NearlyAll * static_cast<double>(Finished))
      continue;
    Row.IsSplit = true;
    // An open call is waiting: nobody knows of a transfer yet.
    int64_t Open = std::max<int64_t>(0, Row.CollectiveNs - Finished);
    Row.CollectiveWaitNs =
        std::min(Row.CollectiveNs, saturatingAdd(Of[R].WaitNs, Open));
    Row.TransferNs = Row.CollectiveNs - Row.CollectiveWaitNs;
  }
}

RankEfficiency efficiencyOf(const std::vector<RankRow> &Rows) {
  RankEfficiency Result;
  double Elapsed = 0;
  double Sum = 0;
  double Most = 0;
  double Transfer = -1;
  std::map<std::string, double> ByHost;
  for (const RankRow &Row : Rows) {
    auto Own = static_cast<double>(Row.OwnNs);
    Elapsed = std::max(Elapsed, static_cast<double>(Row.ElapsedNs));
    Sum += Own;
    Most = std::max(Most, Own);
    ByHost[Row.Host] += Own;
    auto OfRow = static_cast<double>(Row.TransferNs);
    Transfer = Transfer < 0 ? OfRow : std::min(Transfer, OfRow);
  }
  auto Ranks = static_cast<double>(Rows.size());
  if (Elapsed <= 0 || Most <= 0)
    return Result;
  double MostOfHost = 0;
  for (const auto &[Host, Own] : ByHost)
    MostOfHost = std::max(MostOfHost, Own);
  auto Hosts = static_cast<double>(ByHost.size());
  Result.IsKnown = true;
  Result.Parallel = Sum / (Ranks * Elapsed);
  Result.LoadBalance = Sum / (Ranks * Most);
  Result.Communication = Most / Elapsed;
  Result.Within = Hosts * MostOfHost / (Ranks * Most);
  Result.Between = Sum / (Hosts * MostOfHost);
  Result.IsSplit =
      std::all_of(Rows.begin(), Rows.end(),
                  [](const RankRow &Row) { return Row.IsSplit; }) &&
      Elapsed > Transfer;
  if (Result.IsSplit) {
    Result.Transfer = (Elapsed - Transfer) / Elapsed;
    Result.Serialisation = Most / (Elapsed - Transfer);
  }
  return Result;
}

// The part of RANK's operations on devices that was compared, over the call
// paths that have comparable ones.
double coveredOnDevice(const Run &R, size_t Rank,
                       const std::vector<bool> &Within,
                       const std::vector<MatchedInstance> &Matched) {
  std::vector<bool> CanBe(R.Nodes.size());
  for (const CollectiveInstance &Each : R.Collectives)
    CanBe[Each.Node] = Within[Each.Node];
  uint64_t Calls = 0;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    Calls += CanBe[I] ? R.Nodes[I].Spans.count() : 0;
  uint64_t Compared = 0;
  for (const MatchedInstance &Each : Matched)
    Compared += Each.Of[Rank]->Operations;
  return Calls == 0 ? 0
                    : std::min(1.0, static_cast<double>(Compared) /
                                        static_cast<double>(Calls));
}

// Why nothing can be said about the ranks; empty if there is no reason.
std::string whyUnknown(const StageRanks &Of, bool HasCollectives,
                       bool HasOwnSteps, bool Missing) {
  if (!Of.KnowsOwn)
    return "How long ranks waited for each other isn't known here: --view "
           "distributed compares the communication of traces.";
  if (!HasCollectives && !Of.OnDevices && !HasOwnSteps)
    return "How long ranks waited for each other isn't known: mark their "
           "communication with [[loopscope::collective(\"name\")]].";
  if (Missing)
    return "Which rank is late isn't known, because ranks are missing.";
  return {};
}

// The instances that all ranks have; TO receives what is known about all of
// them. NEEDS_ALL: others show nothing.
std::vector<MatchedInstance> matched(const std::vector<Run> &All,
                                     const std::vector<std::vector<bool>> &In,
                                     bool NeedsAll, StageRanks &To) {
  MatchedInstances Found = matchCollectives(All, In);
  To.HasOneClock = Found.HasOneClock;
  To.Notes = std::move(NeedsAll ? Found.Notes : Found.Unsplit);
  return std::move(Found.List);
}

void compareOnHost(const std::vector<Run> &All, const StageOfRanks &Of,
                   bool HasOwnSteps, StageRanks &To) {
  std::vector<MatchedInstance> List = matched(All, Of.OnHost, !HasOwnSteps, To);
  split(All, Of, To.Rows);
  To.Efficiency = efficiencyOf(To.Rows);
  findStragglers(All, List, /*MostLost=*/1, To);
}

void compareOnDevices(const std::vector<Run> &All, const StageOfRanks &Of,
                      StageRanks &To) {
  std::vector<MatchedInstance> List = matched(All, Of.OnDevice, true, To);
  for (size_t R = 0; R < All.size(); ++R)
    To.Rows[R].Covered = coveredOnDevice(All[R], R, Of.OnDevice[R], List);
  findStragglers(All, List, mostLostOnDevices(All, To), To);
  explainLateDevice(All, Of.InSteps, To);
  To.Notes.emplace_back(
      "Ranks wait for each other on devices. The waits above are the host's; "
      "`--view communication` shows the devices'.");
}

StageRanks stageRanksOf(const std::vector<Run> &All,
                        const std::vector<Stages> &Found, const Stage &S,
                        bool Missing) {
  StageRanks Result;
  Result.Id = S.Id;
  Result.Title = S.Title;
  StageOfRanks Of(All, Found, S.Kind);
  for (size_t R = 0; R < All.size(); ++R)
    Result.Rows.push_back(rowOf(All[R], Of.In[R]));
  bool HasCollectives =
      std::any_of(Result.Rows.begin(), Result.Rows.end(),
                  [](const RankRow &Row) { return Row.CollectiveNs > 0; });
  Result.OnDevices = Of.HasEnqueued && !HasCollectives;
  bool KnowOwn = std::any_of(All.begin(), All.end(), [](const Run &Each) {
    return Each.By->KnowsOwnTime;
  });
  Result.KnowsOwn = KnowOwn || HasCollectives || Result.OnDevices;
  bool HasOwnSteps = !Result.OnDevices && haveOwnSteps(All, Found, S.Kind);
  std::string Why = whyUnknown(Result, HasCollectives, HasOwnSteps, Missing);
  if (!Why.empty()) {
    Result.Notes.push_back(std::move(Why));
    return Result;
  }
  if (Result.OnDevices)
    compareOnDevices(All, Of, Result);
  else
    compareOnHost(All, Of, HasOwnSteps, Result);
  if (HasOwnSteps)
    findLateRanks(All, Found, S.Kind, Result);
  else if (Result.Late.Kind == StragglerKind::Unknown)
    Result.Notes.push_back(tooFewSteps(Result.StepsCompared));
  return Result;
}
} // namespace

std::vector<StageRanks> loopscope::ranksOf(const std::vector<Run> &All,
                                           bool Missing) {
  std::vector<Stages> Found;
  for (const Run &R : All)
    Found.push_back(findStages(R));
  std::vector<StageRanks> Result;
  for (const Stage &S : stagesOfAll(Found)) {
    StageRanks Next = stageRanksOf(All, Found, S, Missing);
    if (std::any_of(Next.Rows.begin(), Next.Rows.end(),
                    [](const RankRow &Row) { return Row.Steps != 0; }))
      Result.push_back(std::move(Next));
  }
  return Result;
}
