// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences about the ranks of a run: the verdict, who is late, what to do.

#include "Analysis/Ranks/Ranks.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// "load (train.cpp:12)"; empty if NAME is.
std::string phaseText(const std::string &Name, const std::string &File,
                      uint32_t Line) {
  return File.empty() ? Name : Name + " (" + placeText(File, Line) + ")";
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
  return fmt::format("{} explains {} of that",
                     phaseText(Of.Name, Of.File, Of.Line),
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
  std::string Place = phaseText(Why.Name, Why.File, Why.Line);
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
    Text += fmt::format(": {} explains {} of that",
                        phaseText(Late.Phase, Late.File, Late.Line),
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
