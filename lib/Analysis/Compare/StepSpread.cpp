// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts both sides into the same buckets and bins.

#include "Analysis/Compare/StepSpread.h"

#include "Run/Model/Moments.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace loopscope;

namespace {
// Bins have this many steps on average, and a mean at least LeastSteps, so that
// those at its ends hardly count. Fewer bins than LeastBins are no curve.
constexpr uint64_t StepsOfBin = 10;
constexpr double LeastSteps = 5;
constexpr size_t LeastBins = 4;
constexpr size_t MostBins = 100;

Moments spansOf(const SideUnits &Of) {
  Moments Sum;
  for (const RunUnits &Each : Of.Runs)
    Sum.merge(Each.Spans);
  return Sum;
}

StepSpread::Side sideOf(const Moments &Spans, unsigned First, size_t Buckets) {
  StepSpread::Side Result;
  Result.Steps = Spans.count();
  Result.P50Ns = Spans.percentileNs(0.5);
  Result.P95Ns = Spans.percentileNs(0.95);
  Result.Percent.assign(Buckets, 0);
  double All = 0;
  for (const Bucket &Each : Spans.distribution())
    All += static_cast<double>(Each.Count);
  for (const Bucket &Each : Spans.distribution())
    Result.Percent[Each.Index - First] +=
        100 * static_cast<double>(Each.Count) / All;
  return Result;
}

const LoopCurve *longestLoop(const HistoryCurves &Of, bool IsTraining) {
  auto Ns = [](const LoopCurve &Each) {
    return std::accumulate(Each.StepNs.begin(), Each.StepNs.end(), int64_t{0},
                           saturatingAdd);
  };
  const LoopCurve *Longest = nullptr;
  for (const LoopCurve &Each : Of.Loops)
    if (Each.IsTraining == IsTraining && !Each.IsNested &&
        (!Longest || Ns(Each) > Ns(*Longest)))
      Longest = &Each;
  return Longest;
}

uint64_t stepsOf(const LoopCurve &Of) {
  uint64_t Sum = 0;
  for (const HistorySteps &Each : Of.Steps)
    Sum += Each.Steps;
  return Sum;
}

// Spreads STEPS and NS evenly from FROM to TO, over BINS equal parts of WHOLE.
void spread(double From, double To, double Whole, double Steps, double Ns,
            StepCurves::Line &Over) {
  auto Bins = static_cast<double>(Over.Steps.size());
  if (!(To > From))
    return;
  for (size_t I = 0; I < Over.Steps.size(); ++I) {
    double Low = Whole * static_cast<double>(I) / Bins;
    double High = Whole * static_cast<double>(I + 1) / Bins;
    double Part = (std::min(To, High) - std::max(From, Low)) / (To - From);
    if (Part <= 0)
      continue;
    Over.Steps[I] += Part * Steps;
    Over.Ns[I] += Part * Ns;
  }
}

StepCurves::Line emptyLine(size_t Bins) {
  return {std::vector<double>(Bins), std::vector<double>(Bins)};
}

StepCurves::Side sideOf(const HistoryCurves &Of, const LoopCurve &Loop,
                        size_t Bins, uint64_t MostSteps) {
  StepCurves::Side Result{emptyLine(Bins), emptyLine(Bins)};
  auto End = static_cast<double>(Of.Bins.back().ToNs);
  double Done = 0;
  double OpenNs = 0; // of steps that end later
  for (size_t I = 0; I < Of.Bins.size(); ++I) {
    auto Steps = static_cast<double>(Loop.Steps[I].Steps);
    auto Ns = static_cast<double>(Loop.StepNs[I]);
    spread(static_cast<double>(Of.Bins[I].FromNs),
           static_cast<double>(Of.Bins[I].ToNs), End, Steps, Ns,
           Result.ByShare);
    OpenNs += Ns;
    if (Steps == 0)
      continue;
    spread(Done, Done + Steps, static_cast<double>(MostSteps), Steps, OpenNs,
           Result.ByStep);
    Done += Steps;
    OpenNs = 0;
  }
  return Result;
}
} // namespace

std::vector<double> StepCurves::Line::meansNs() const {
  std::vector<double> Result(Steps.size(),
                             std::numeric_limits<double>::quiet_NaN());
  constexpr double Rounding = 1e-6;
  // Of a group of neighbours, and of the one before it without a gap.
  size_t First = 0;
  size_t FirstBefore = SIZE_MAX;
  auto Fill = [&](size_t From, size_t To) {
    double Sum = std::accumulate(Ns.begin() + static_cast<ptrdiff_t>(From),
                                 Ns.begin() + static_cast<ptrdiff_t>(To), 0.0);
    double Count =
        std::accumulate(Steps.begin() + static_cast<ptrdiff_t>(From),
                        Steps.begin() + static_cast<ptrdiff_t>(To), 0.0);
    if (Count < LeastSteps)
      return false;
    std::fill(Result.begin() + static_cast<ptrdiff_t>(From),
              Result.begin() + static_cast<ptrdiff_t>(To), Sum / Count);
    return true;
  };
  for (size_t I = 0; I <= Steps.size(); ++I) {
    bool IsGap = I == Steps.size() || (Steps[I] < Rounding && Ns[I] < 1);
    if (IsGap) {
      // Too few are left: they join the group before.
      if (First < I && FirstBefore != SIZE_MAX)
        Fill(FirstBefore, I);
      First = I + 1;
      FirstBefore = SIZE_MAX;
    } else if (Fill(First, I + 1)) {
      FirstBefore = First;
      First = I + 1;
    }
  }
  return Result;
}

Result<StepSpread> loopscope::stepSpread(const ComparedSteps &Of) {
  if (!Of.Before.AreSteps)
    return Error{"the runs have no steps"};
  Moments Before = spansOf(Of.Before);
  Moments After = spansOf(Of.After);
  for (const auto &[Its, Side] :
       {std::pair(&Before, "before"), std::pair(&After, "after")})
    if (Its->count() == 0)
      return Error{fmt::format(
          "other loops run inside the steps {}, whose durations aren't known "
          "without them",
          Side)};
    else if (Its->distribution().empty())
      return Error{fmt::format(
          "the side {} has no histogram of its steps' durations", Side)};
  auto [First, Last] = std::pair<unsigned, unsigned>(
      std::min(Before.distribution().front().Index,
               After.distribution().front().Index),
      std::max(Before.distribution().back().Index,
               After.distribution().back().Index));
  StepSpread Result;
  for (unsigned I = First; I <= Last + 1; ++I)
    Result.EdgesNs.push_back(lowestTicks(I));
  size_t Buckets = Result.EdgesNs.size() - 1;
  Result.Before = sideOf(Before, First, Buckets);
  Result.After = sideOf(After, First, Buckets);
  return Result;
}

Result<StepCurves> loopscope::stepCurves(const HistoryCurves &Before,
                                         const HistoryCurves &After,
                                         bool IsTraining) {
  const LoopCurve *Old = longestLoop(Before, IsTraining);
  const LoopCurve *New = longestLoop(After, IsTraining);
  if (!Old || !New)
    return Error{fmt::format("the history {} doesn't have the loop",
                             Old ? "after" : "before")};
  StepCurves Result;
  Result.MostSteps = std::max(stepsOf(*Old), stepsOf(*New));
  uint64_t Least = std::min(stepsOf(*Old), stepsOf(*New));
  Result.Bins = std::min({Before.Bins.size(), After.Bins.size(),
                          static_cast<size_t>(Least / StepsOfBin), MostBins});
  if (Result.Bins < LeastBins)
    return Error{
        fmt::format("a side has only {} in {}", counted(Least, "step"),
                    counted(std::min(Before.Bins.size(), After.Bins.size()),
                            "recorded bin"))};
  Result.Processes = std::max(Before.Processes, After.Processes);
  Result.Before = sideOf(Before, *Old, Result.Bins, Result.MostSteps);
  Result.After = sideOf(After, *New, Result.Bins, Result.MostSteps);
  return Result;
}
