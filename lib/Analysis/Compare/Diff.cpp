// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs the actions of two sides and tests their means.

#include "Analysis/Compare/Diff.h"

#include "Analysis/Compare/StudentT.h"
#include "Analysis/Tree/FlatRows.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

using namespace loopscope;

namespace {
constexpr size_t LeastRuns = 2;
// Confidence level of the interval that is shown.
constexpr double IntervalLevel = 0.95;
// Of this many pairs, one is trimmed at either end.
constexpr size_t TrimmedPart = 5;

double partOf(double Part, double Whole) {
  return Whole > 0 ? Part / Whole : 0;
}

// The sample's variance; needs at least two values.
double varianceOf(const std::vector<double> &Values, double Mean) {
  double Sum = 0;
  for (double Each : Values)
    Sum += (Each - Mean) * (Each - Mean);
  return Sum / static_cast<double>(Values.size() - 1);
}

SampleMean sampleOf(const Moments &Spans) {
  return {Spans.meanNs(), Spans.deviationNs() * Spans.deviationNs(),
          Spans.count()};
}

SampleMean sampleOf(const DiffSide &Side) {
  return {Side.MeanNs, varianceOf(Side.RunMeansNs, Side.MeanNs),
          Side.RunMeansNs.size()};
}

// The logarithms of a pair's values, or their means.
struct Pair {
  double Before = 0;
  double After = 0;

  double change() const { return After - Before; }
};

// A mean and the variance of its error.
struct Estimate {
  double Mean;
  double Variance;
};

// Fieller's interval of AFTER / BEFORE, both of which are positive. A ratio r
// is in it if After - r Before is at most T standard errors from 0:
//
//   (After - r Before)^2 <= T^2 (Variance(After) + r^2 Variance(Before))
std::pair<double, double> ratios(Estimate Before, Estimate After, double T) {
  double A = Before.Mean * Before.Mean - T * T * Before.Variance;
  double B = Before.Mean * After.Mean;
  double C = After.Mean * After.Mean - T * T * After.Variance;
  double Root = std::sqrt(std::max(B * B - A * C, 0.0));
  // The lower end, in a form that cancels nothing.
  double Low = C > 0 ? C / (B + Root) : 0;
  double High =
      A > 0 ? (B + Root) / A : std::numeric_limits<double>::infinity();
  return {Low, High};
}

// Corrects the tests of all actions that are judged.
void correctAll(std::vector<StageChange> &Stages) {
  std::vector<MeanTest *> Judged;
  for (StageChange &Stage : Stages)
    for (ActionChange &Each : Stage.Actions)
      if (Each.Test && !Each.IsSmall)
        Judged.push_back(&*Each.Test);
  correctTogether(Judged);
}

// The stage of one kind in each run of a side.
class Side {
public:
  explicit Side(const std::vector<Run> &Runs) : Runs(Runs) {
    for (const Run &R : Runs) {
      All.push_back(findStages(R));
      Gpu.emplace_back(R);
    }
  }

  bool hasGpu() const {
    return std::all_of(Gpu.begin(), Gpu.end(),
                       [](const GpuByNode &Each) { return Each.hasData(); });
  }

  const std::vector<Stages> &stages() const { return All; }

  // Adds what the runs did in the stage KIND to INTO, to each action's member
  // SIDE. Returns the stage's mean wall time.
  double addTo(std::vector<ActionChange> &Into, loopscope_kind Kind,
               DiffSide ActionChange::*Side) const {
    auto Count = static_cast<double>(Runs.size());
    double Wall = 0;
    for (size_t I = 0; I < Runs.size(); ++I)
      for (const Stage &S : All[I].List) {
        if (S.Kind != Kind)
          continue;
        Wall += static_cast<double>(S.WallNs) / Count;
        for (const FlatRow &Row : flatten(Runs[I], Gpu[I], All[I], S).Rows) {
          DiffSide &To = action(Into, Row.Name).*Side;
          addRun(Row.Spans, static_cast<double>(Row.TotalNs), Runs.size(), To);
          To.Cpu.add(Row.Cpu);
          To.CountedNs = saturatingAdd(To.CountedNs, Row.CountedNs);
          To.GpuNs += static_cast<double>(Gpu[I].busyNs(Row.Gpu)) / Count;
        }
      }
    return Wall;
  }

private:
  static ActionChange &action(std::vector<ActionChange> &In,
                              const std::string &Name) {
    auto Same =
        std::find_if(In.begin(), In.end(), [&](const ActionChange &Each) {
          return Each.Name == Name;
        });
    if (Same != In.end())
      return *Same;
    In.emplace_back();
    In.back().Name = Name;
    return In.back();
  }

  const std::vector<Run> &Runs;
  std::vector<Stages> All;
  std::vector<GpuByNode> Gpu;
};

// The stages of both sides, in the order of a report.
std::vector<Stage> allStages(const Side &Before, const Side &After) {
  std::vector<Stage> Result;
  for (const Side *Each : {&After, &Before})
    for (const Stages &OfRun : Each->stages())
      for (const Stage &S : OfRun.List)
        if (std::none_of(Result.begin(), Result.end(), [&](const Stage &Have) {
              return Have.Kind == S.Kind;
            }))
          Result.push_back(S);
  return Result;
}
} // namespace

std::optional<double> ActionChange::percent() const {
  if (!(Before.MeanNs > 0) || After.RunMeansNs.empty())
    return std::nullopt;
  if (Test)
    return Test->Percent;
  return (After.MeanNs / Before.MeanNs - 1) * 100;
}

bool MeanTest::isSignificant() const { return Corrected <= DiffLevel; }

std::optional<MeanTest> loopscope::welchTest(const SampleMean &Before,
                                             const SampleMean &After) {
  auto CountA = static_cast<double>(Before.Count);
  auto CountB = static_cast<double>(After.Count);
  double A = Before.Variance / CountA;
  double B = After.Variance / CountB;
  double Variance = A + B;
  if (!(Variance > 0) || !(Before.Mean > 0))
    return std::nullopt;
  // Welch and Satterthwaite's degrees of freedom.
  double Degrees =
      Variance * Variance / (A * A / (CountA - 1) + B * B / (CountB - 1));
  MeanTest Result;
  Result.Before = Before.Mean;
  Result.After = After.Mean;
  Result.T = (After.Mean - Before.Mean) / std::sqrt(Variance);
  Result.Probability = probabilityOfT(Result.T, Degrees);
  Result.Percent = (After.Mean / Before.Mean - 1) * 100;
  auto [Low, High] = ratios({Before.Mean, A}, {After.Mean, B},
                            criticalT(1 - IntervalLevel, Degrees));
  Result.LowPercent = (Low - 1) * 100;
  Result.HighPercent = (High - 1) * 100;
  return Result;
}

std::optional<MeanTest> loopscope::pairTest(const std::vector<double> &Before,
                                            const std::vector<double> &After) {
  std::vector<Pair> Pairs;
  for (size_t I = 0; I < Before.size(); ++I) {
    if (!(Before[I] > 0 && After[I] > 0))
      return std::nullopt;
    Pairs.push_back({std::log(Before[I]), std::log(After[I])});
  }
  std::sort(Pairs.begin(), Pairs.end(), [](const Pair &A, const Pair &B) {
    return A.change() < B.change();
  });
  size_t Cut = Pairs.size() / TrimmedPart;
  size_t Kept = Pairs.size() - 2 * Cut;
  Pair Means;
  for (size_t I = Cut; I < Cut + Kept; ++I) {
    Means.Before += Pairs[I].Before / static_cast<double>(Kept);
    Means.After += Pairs[I].After / static_cast<double>(Kept);
  }
  double Mean = Means.change();
  // For the spread, trimmed values count as if they were at the border.
  std::vector<double> Logs;
  for (size_t I = 0; I < Pairs.size(); ++I)
    Logs.push_back(Pairs[std::clamp(I, Cut, Cut + Kept - 1)].change());
  auto Count = static_cast<double>(Logs.size());
  double Middle = std::accumulate(Logs.begin(), Logs.end(), 0.0) / Count;
  double Error =
      std::sqrt(varianceOf(Logs, Middle) * Count) / static_cast<double>(Kept);
  if (!(Error > 0))
    return std::nullopt;
  auto Degrees = static_cast<double>(Kept - 1);
  double Margin = criticalT(1 - IntervalLevel, Degrees) * Error;
  auto Percent = [](double Log) { return std::expm1(Log) * 100; };
  MeanTest Result;
  Result.Before = std::exp(Means.Before);
  Result.After = std::exp(Means.After);
  Result.T = Mean / Error;
  Result.Probability = probabilityOfT(Result.T, Degrees);
  Result.Percent = Percent(Mean);
  Result.LowPercent = Percent(Mean - Margin);
  Result.HighPercent = Percent(Mean + Margin);
  return Result;
}

std::string loopscope::changeText(double Percent) {
  if (!std::isfinite(Percent))
    return "no limit";
  return threeDigitPercent(Percent, true);
}

void loopscope::addRun(const Moments &Spans, double TotalNs, size_t Runs,
                       DiffSide &To) {
  To.TotalNs += TotalNs / static_cast<double>(Runs);
  if (Spans.count() == 0)
    return;
  To.RunMeansNs.push_back(Spans.meanNs());
  To.IsInAllRuns = To.RunMeansNs.size() == Runs;
  To.Spans.merge(Spans);
  auto Count = static_cast<double>(To.RunMeansNs.size());
  To.MeanNs += (To.RunMeansNs.back() - To.MeanNs) / Count;
}

std::optional<MeanTest> loopscope::testMeans(const DiffSide &Before,
                                             const DiffSide &After,
                                             DiffTest By) {
  if (By == DiffTest::Spans)
    return Before.Spans.count() < LeastSpans || After.Spans.count() < LeastSpans
               ? std::nullopt
               : welchTest(sampleOf(Before.Spans), sampleOf(After.Spans));
  if (Before.RunMeansNs.size() < LeastRuns ||
      After.RunMeansNs.size() < LeastRuns)
    return std::nullopt;
  // If a run lacks the action, the runs of the pairs no longer match up.
  bool Paired =
      By == DiffTest::Pairs && Before.IsInAllRuns && After.IsInAllRuns;
  return Paired ? pairTest(Before.RunMeansNs, After.RunMeansNs)
                : welchTest(sampleOf(Before), sampleOf(After));
}

void loopscope::correctTogether(const std::vector<MeanTest *> &Tests) {
  std::vector<double> Probabilities;
  for (const MeanTest *Each : Tests)
    Probabilities.push_back(Each->Probability);
  std::vector<double> Corrected = holmCorrected(Probabilities);
  for (size_t I = 0; I < Tests.size(); ++I)
    Tests[I]->Corrected = Corrected[I];
}

std::vector<StageChange> loopscope::compareRuns(const std::vector<Run> &Before,
                                                const std::vector<Run> &After,
                                                const DiffMethod &How) {
  Side Old(Before), New(After);
  std::vector<StageChange> Result;
  for (const Stage &S : allStages(Old, New)) {
    StageChange Change;
    Change.Of = S;
    Change.HasGpuBefore = Old.hasGpu();
    Change.HasGpuAfter = New.hasGpu();
    Change.RunsBefore = Before.size();
    Change.RunsAfter = After.size();
    Change.WallBeforeNs =
        Old.addTo(Change.Actions, S.Kind, &ActionChange::Before);
    Change.WallAfterNs =
        New.addTo(Change.Actions, S.Kind, &ActionChange::After);
    for (ActionChange &Each : Change.Actions) {
      Each.Share = std::max(partOf(Each.Before.TotalNs, Change.WallBeforeNs),
                            partOf(Each.After.TotalNs, Change.WallAfterNs));
      Each.IsSmall = Each.Share < How.LeastShare;
      Each.Test = testMeans(Each.Before, Each.After, How.By);
    }
    sortLargestFirst(Change.Actions, [](const ActionChange &A) {
      return std::abs(A.totalNs());
    });
    Result.push_back(std::move(Change));
  }
  correctAll(Result);
  return Result;
}

std::optional<double> loopscope::geometricMean(const StageChange &Of) {
  double Sum = 0;
  size_t Count = 0;
  for (const ActionChange &Each : Of.Actions)
    if (std::optional<double> Percent = Each.percent();
        Percent && Each.Test && !Each.IsSmall) {
      Sum += std::log1p(*Percent / 100);
      ++Count;
    }
  if (Count == 0)
    return std::nullopt;
  return std::exp(Sum / static_cast<double>(Count));
}

const ActionChange *
loopscope::worstSlowdown(const std::vector<StageChange> &Stages) {
  const ActionChange *Worst = nullptr;
  for (const StageChange &Stage : Stages)
    for (const ActionChange &Each : Stage.Actions) {
      if (!Each.isSignificant())
        continue;
      double Percent = Each.percent().value_or(0);
      if (Percent > 0 && (!Worst || Percent > *Worst->percent()))
        Worst = &Each;
    }
  return Worst;
}
