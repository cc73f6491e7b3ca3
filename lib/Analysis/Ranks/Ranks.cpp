// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of ranks, efficiencies, and sentences about them.

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

StageSteps stepsIn(const Run &P, const Stages &Found, loopscope_kind Kind) {
  StageSteps Result;
  Result.Within.resize(P.Nodes.size());
  std::vector<bool> Below(P.Nodes.size());
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
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
                       P.Nodes[N.Parent].Kind != LOOPSCOPE_KIND_COLLECTIVE;
  }
  return Result;
}

RankRow rowOf(const Run &P, const StageSteps &In) {
  RankRow Row;
  Row.Process = P.processName();
  Row.Host = P.Host;
  Row.Rank = P.Rank;
  std::vector<int64_t> Waiting = waitingTimes(P);
  int64_t Waited = 0;
  for (uint32_t Step : In.Steps) {
    Row.Steps += P.Nodes[Step].Spans.count();
    Row.ElapsedNs = saturatingAdd(Row.ElapsedNs, includedNs(P, Step));
    Waited = saturatingAdd(Waited, Waiting[Step]);
  }
  Row.OwnNs = Row.ElapsedNs - Waited;
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (!In.Within[I])
      continue;
    if (N.Kind == LOOPSCOPE_KIND_COLLECTIVE)
      Row.CollectiveNs = saturatingAdd(Row.CollectiveNs, N.InclusiveNs);
    else if (isCommunication(P, N) &&
             P.Nodes[N.Parent].Kind != LOOPSCOPE_KIND_WAIT)
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
double coveredOnDevice(const Run &P, size_t Rank,
                       const std::vector<bool> &Within,
                       const std::vector<MatchedInstance> &Matched) {
  std::vector<bool> CanBe(P.Nodes.size());
  for (const CollectiveInstance &Each : P.Collectives)
    CanBe[Each.Node] = Within[Each.Node];
  uint64_t Calls = 0;
  for (uint32_t I = 0; I < P.Nodes.size(); ++I)
    Calls += CanBe[I] ? P.Nodes[I].Spans.count() : 0;
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

// "rank 2 came last in 96 of 100 steps, by 3.00 ms" and the cause.
std::string persistentText(const StageRanks &Of) {
  const RankRow &Row = Of.Rows[Of.Late.Row];
  return fmt::format(
      "{}{} came last in {} of {} steps, by {:.3g} ms on average", Row.Process,
      Of.OnDevices ? "'s device" : "", Row.LastCount, Of.StepsCompared,
      static_cast<double>(Row.LateNs) / 1e6 /
          static_cast<double>(std::max<uint64_t>(Row.LastCount, 1)));
}

std::string reasonText(const LatePhase &Of) {
  if (Of.Name.empty())
    return "no single phase explains it";
  return fmt::format("{}{} explains {} of that", Of.Name,
                     Of.File.empty() ? ""
                                     : " (" + placeText(Of.File, Of.Line) + ")",
                     percent(Of.Explained));
}

std::string timeText(int64_t Ns) {
  return readableDuration(static_cast<double>(Ns) / NsPerSecond);
}

// "rank 2", "ranks 4 to 7".
std::string ranksText(const StageRanks &Of, const std::vector<size_t> &Rows) {
  if (Rows.size() == 1)
    return Of.Rows[Rows.front()].Process;
  std::vector<int64_t> Numbers;
  for (size_t Each : Rows)
    Numbers.push_back(Of.Rows[Each].Rank);
  return "ranks " + rangesText(std::move(Numbers));
}

// At the start of a sentence.
std::string capitalised(std::string Text) {
  if (Text.starts_with("rank"))
    Text.front() = 'R';
  return Text;
}

// Who is always late, or in turns, then single steps, a sentence each.
std::string ownTimeText(const StageRanks &Of) {
  const Straggler &Late = Of.Late;
  std::string Text;
  if (Late.Kind == StragglerKind::Persistent)
    Text = fmt::format(
        "{} {} {} longer per step than the median rank, which costs up to "
        "{} of the step time: {}.",
        capitalised(ranksText(Of, Late.Rows)),
        Late.Rows.size() == 1 ? "takes" : "take up to", timeText(Late.LongerNs),
        percent(Late.LostPart), reasonText(Late.Reason));
  else if (Late.Kind == StragglerKind::Rotating)
    Text = fmt::format("Which rank takes longest changes from step to step, "
                       "which costs up to {} of the step time: {}.{}",
                       percent(Late.LostPart), reasonText(Late.Reason),
                       Late.LongestIn == 0
                           ? ""
                           : fmt::format(" {} takes longest in {} of {} steps.",
                                         capitalised(Of.Rows[Late.Row].Process),
                                         Late.LongestIn, Late.LongestOf));
  for (const LongSteps &Each : Late.Once)
    Text += fmt::format(
        "{}{} took {} longer than usual in {}{}: {}.", Text.empty() ? "" : " ",
        capitalised(Of.Rows[Each.Row].Process), timeText(Each.Ns),
        Each.Count == 1 ? fmt::format("step {}", Each.First)
                        : fmt::format("{} single steps, the first of them {}",
                                      Each.Count, Each.First),
        Each.HalfDidNot ? ", and at least half of the ranks didn't" : "",
        reasonText(Each.Reason));
  return Text;
}

// What to do about ranks whose steps take longer.
std::string remedyText(const StageRanks &Of) {
  const Straggler &Late = Of.Late;
  const LatePhase &Why = Late.Reason;
  std::string Place = Why.Name;
  if (!Why.File.empty())
    Place += " (" + placeText(Why.File, Why.Line) + ")";
  if (Late.Kind == StragglerKind::Rotating)
    return fmt::format("Up to {} of the step time is waiting for the rank that "
                       "takes longest, another one from step to step: give all "
                       "ranks the same work in each step{}.",
                       percent(Late.LostPart),
                       Place.empty() ? "" : ", in " + Place);
  std::string Who = ranksText(Of, Late.Rows);
  const char *Them = Late.Rows.size() == 1 ? "it" : "them";
  return fmt::format(
      "Up to {} of the step time is waiting for {}: {}.",
      percent(Late.LostPart), Who,
      Place.empty() ? fmt::format("give {} less to do, or compare a profile of "
                                  "{} with another rank's by `loopscope diff`",
                                  Them, Them)
                    : fmt::format("give {} less to do in {}, or make that "
                                  "faster there",
                                  Them, Place));
}

// Whether ranks lose much time to late ones, as far as that is known.
bool isImbalanced(const StageRanks &Of, double Waits, double Moves) {
  if (Of.Late.IsFromOwnTime)
    return Of.Late.Kind != StragglerKind::None && Of.Late.LostPart >= RanksLost;
  return Waits >= RanksLost && Waits >= Moves;
}
} // namespace

std::vector<StageRanks> loopscope::ranksOf(const std::vector<Run> &All,
                                           bool Missing) {
  std::vector<Stages> Found;
  for (const Run &P : All)
    Found.push_back(findStages(P));
  std::vector<StageRanks> Result;
  for (const Stage &S : stagesOfAll(Found)) {
    StageRanks Next = stageRanksOf(All, Found, S, Missing);
    if (std::any_of(Next.Rows.begin(), Next.Rows.end(),
                    [](const RankRow &Row) { return Row.Steps != 0; }))
      Result.push_back(std::move(Next));
  }
  return Result;
}

std::string loopscope::stragglerSentence(const StageRanks &Of) {
  const Straggler &Late = Of.Late;
  if (Late.IsFromOwnTime)
    return ownTimeText(Of);
  if (Late.Kind == StragglerKind::Unknown || Late.Kind == StragglerKind::None)
    return {};
  std::string Text = Late.Kind == StragglerKind::Persistent
                         ? persistentText(Of)
                         : fmt::format("Which {} comes last changes from "
                                       "step to step, over {} steps",
                                       Of.OnDevices ? "rank's device" : "rank",
                                       Of.StepsCompared);
  Text += fmt::format("; the others wait for {}{} of the step time",
                      Of.OnDevices ? "up to " : "", percent(Late.LostPart));
  if (!Late.Phase.empty())
    Text += fmt::format(
        ": {}{} explains {} of that", Late.Phase,
        Late.File.empty() ? "" : " (" + placeText(Late.File, Late.Line) + ")",
        percent(Late.Explained));
  else if (Late.WholeDevice > 0)
    Text += fmt::format(
        ": its device takes longer in all phases, which explains {} of that",
        percent(Late.WholeDevice));
  else if (!Of.OnDevices)
    Text += ": no single phase explains it";
  return Text + ".";
}

RanksVerdict loopscope::rankVerdict(const StageRanks &Of) {
  int64_t Elapsed = 0;
  int64_t Wait = 0;
  int64_t Messages = 0;
  int64_t Transfer = 0;
  bool IsSplit = !Of.Rows.empty();
  for (const RankRow &Row : Of.Rows) {
    Elapsed = saturatingAdd(Elapsed, Row.ElapsedNs);
    Wait = saturatingAdd(Wait, Row.CollectiveWaitNs);
    Messages = saturatingAdd(Messages, Row.MessageNs);
    Transfer = saturatingAdd(Transfer, Row.TransferNs);
    IsSplit &= Row.IsSplit;
  }
  if (Of.Late.Kind == StragglerKind::Unknown ||
      (!IsSplit && !Of.Late.IsFromOwnTime))
    return {};
  double Waits = part(saturatingAdd(Wait, Messages), Elapsed);
  double Moves = part(Transfer, Elapsed);
  bool IsImbalanced = isImbalanced(Of, Waits, Moves);
  if (!IsImbalanced && (!IsSplit || Moves < CommunicationBound))
    return {};
  std::string Class = IsImbalanced ? "load-imbalanced" : "communication-bound";
  std::string Why =
      IsSplit
          ? fmt::format("ranks wait for each other{} for {} of the step time, "
                        "and transfer{} takes {}",
                        Messages == 0 ? "" : " and for messages",
                        percent(Waits), Messages == 0 ? "" : " in collectives",
                        percent(Moves))
          : fmt::format("late ranks cost up to {} of the step time",
                        percent(Of.Late.LostPart));
  std::string Text = fmt::format(
      "Verdict: {}: {}; load balance {}, communication efficiency {}.", Class,
      Why, percent(Of.Efficiency.LoadBalance),
      percent(Of.Efficiency.Communication));
  RanksVerdict Result;
  Result.Class = std::move(Class);
  Result.Text = std::move(Text);
  if (!IsImbalanced || !Of.Late.IsFromOwnTime)
    return Result;
  Result.Remedy = remedyText(Of);
  Result.LostPart = Of.Late.LostPart;
  Result.Phase = Of.Late.Reason.Name;
  Result.File = Of.Late.Reason.File;
  Result.Line = Of.Late.Reason.Line;
  return Result;
}

RanksVerdict loopscope::verdictOfRanks(const std::vector<Run> &All,
                                       const std::string &Stage) {
  std::vector<const RunInfo *> Infos(All.size());
  std::ranges::transform(All, Infos.begin(), [](const Run &Of) { return &Of; });
  RollCall Found = callRoll(Infos);
  bool AreRanks = All.size() > 1 && Found.Runs.size() == 1 &&
                  Found.Forked.empty() &&
                  std::ranges::all_of(All, [](const Run &Of) {
                    return Of.Rank >= 0 && Of.By->KnowsOwnTime;
                  });
  if (!AreRanks)
    return {};
  for (const StageRanks &Each : ranksOf(All, lacksRanks(All))) {
    RanksVerdict Result = rankVerdict(Each);
    if (Result.Text.empty() || (!Stage.empty() && Each.Id != Stage))
      continue;
    if (std::string Who = stragglerSentence(Each); !Who.empty())
      Result.Text += " " + capitalised(std::move(Who));
    return Result;
  }
  return {};
}
