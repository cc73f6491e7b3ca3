// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs the parts of steps by name.

#include "Analysis/Compare/StepChange.h"

#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace loopscope;

namespace {
// The finished spans of PART itself, not those inside it. Nodes are ascending.
uint64_t spansOf(const Run &R, const AccountPart &Part) {
  uint64_t Count = 0;
  for (uint32_t I : Part.Nodes) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None || !std::ranges::binary_search(Part.Nodes, N.Parent))
      Count += N.Spans.count();
  }
  return Count;
}

bool isMarked(AccountUse Use) {
  return Use == AccountUse::Draw || Use == AccountUse::Phase;
}

StepPartChange &partOf(StepChange &In, const AccountPart &Like) {
  for (StepPartChange &Each : In.Parts)
    if (Each.Use == Like.Use && Each.Name == Like.Name)
      return Each;
  StepPartChange &New = In.Parts.emplace_back();
  New.Use = Like.Use;
  New.Name = Like.Name;
  New.HasSpans = isMarked(Like.Use);
  return New;
}

void addSide(const SideUnits &Side, const std::vector<StageChange> &Stages,
             double TimeChange::*Ns, double TimeChange::*Spans,
             StepChange &To) {
  auto Units = static_cast<double>(Side.count());
  for (const RunUnits &Run : Side.Runs) {
    std::vector<const ActionChange *> Rows = rowsByNode(*Run.Of, Stages);
    for (const AccountPart &Each : Run.Parts) {
      StepPartChange &Part = partOf(To, Each);
      Part.*Ns += static_cast<double>(Each.Ns) / Units;
      if (!isMarked(Each.Use) || Each.Nodes.empty())
        continue;
      Part.*Spans += static_cast<double>(spansOf(*Run.Of, Each)) / Units;
      if (!Part.Row)
        Part.Row = Rows[Each.Nodes.front()];
    }
  }
}

// The means of the side's runs, and the spans of its steps.
DiffSide sideOf(const SideUnits &Side) {
  DiffSide Result;
  for (const RunUnits &Each : Side.Runs) {
    auto Ns = static_cast<double>(Each.Ns);
    addRun(Each.Spans, Ns, Side.Runs.size(), Result);
    // The runs' means are known where the spans aren't.
    if (Each.Spans.count() != 0)
      continue;
    Result.RunMeansNs.push_back(Ns / static_cast<double>(Each.Count));
    auto Count = static_cast<double>(Result.RunMeansNs.size());
    Result.MeanNs += (Result.RunMeansNs.back() - Result.MeanNs) / Count;
    Result.IsInAllRuns = Result.RunMeansNs.size() == Side.Runs.size();
  }
  return Result;
}
// Why the means of OF have no test.
std::string whyNoTest(const ComparedSteps &Of, DiffTest By) {
  constexpr const char *NoSpread = "its values don't vary";
  bool FewRuns = Of.Before.Runs.size() < 2 || Of.After.Runs.size() < 2;
  if (By != DiffTest::Spans)
    return FewRuns ? "that takes two runs of each side" : NoSpread;
  if (!Of.Before.AreSteps)
    return "that takes several runs of each side";
  auto HasInner = [](const RunUnits &Each) { return Each.Spans.count() == 0; };
  if (std::ranges::any_of(Of.Before.Runs, HasInner) ||
      std::ranges::any_of(Of.After.Runs, HasInner))
    return "loops run inside the steps, whose own durations aren't recorded; "
           "that takes several runs of each side";
  if (std::min(Of.Before.count(), Of.After.count()) < LeastSpans)
    return fmt::format("that takes {} steps on each side, or several runs of "
                       "each side",
                       LeastSpans);
  return NoSpread;
}
} // namespace

StepChange loopscope::stepChange(const ComparedSteps &Of,
                                 const std::vector<StageChange> &Stages,
                                 DiffTest By) {
  StepChange Result;
  Result.AreSteps = Of.Before.AreSteps;
  Result.IsTraining = Of.Before.IsTraining;
  Result.Before = {Of.Before.count(), Of.Before.Place, Of.Before.meanNs()};
  Result.After = {Of.After.count(), Of.After.Place, Of.After.meanNs()};
  addSide(Of.Before, Stages, &TimeChange::BeforeNs, &TimeChange::BeforeSpans,
          Result);
  addSide(Of.After, Stages, &TimeChange::AfterNs, &TimeChange::AfterSpans,
          Result);
  for (StepPartChange &Each : Result.Parts)
    if (isMarked(Each.Use))
      Each.judge(Each.Row ? Each.Row->Test : std::nullopt,
                 Each.Row && Each.Row->IsSmall, Of.hasManySteps());
  std::ranges::stable_sort(
      Result.Parts, [](const StepPartChange &A, const StepPartChange &B) {
        return std::pair(!isMarked(A.Use), -std::abs(A.ns())) <
               std::pair(!isMarked(B.Use), -std::abs(B.ns()));
      });
  Result.Test = testMeans(sideOf(Of.Before), sideOf(Of.After), By);
  if (Result.Test)
    Result.Test->Corrected = Result.Test->Probability;
  else
    Result.WhyNoTest = whyNoTest(Of, By);
  return Result;
}

std::string loopscope::changeSentence(const StepChange &Of) {
  const char *Unit = Of.AreSteps ? "step" : "run";
  if (!Of.Test)
    return fmt::format("Whether the mean {} changed isn't known: {}.", Unit,
                       Of.WhyNoTest);
  std::string Interval =
      fmt::format("(95% interval: {} to {})", changeText(Of.Test->LowPercent),
                  changeText(Of.Test->HighPercent));
  return Of.Test->isSignificant()
             ? fmt::format("The mean {} changed by {} {}.", Unit,
                           changeText(Of.Test->Percent), Interval)
             : fmt::format("The change of the mean {}, {} {}, isn't "
                           "significant.",
                           Unit, changeText(Of.Test->Percent), Interval);
}

std::vector<StepPartChange> loopscope::largestParts(const StepChange &Of,
                                                    size_t Most) {
  std::vector<StepPartChange> Result;
  StepPartChange Rest;
  size_t Left = 0;
  size_t Marked = 0;
  for (const StepPartChange &Each : Of.Parts) {
    Marked += isMarked(Each.Use);
    if (!isMarked(Each.Use) || Marked <= Most) {
      Result.push_back(Each);
      continue;
    }
    ++Left;
    Rest.BeforeNs += Each.BeforeNs;
    Rest.AfterNs += Each.AfterNs;
  }
  if (Left == 0)
    return Result;
  Rest.Name = fmt::format("({})", counted(Left, "other part"));
  Result.insert(Result.begin() + static_cast<ptrdiff_t>(Most), std::move(Rest));
  return Result;
}
