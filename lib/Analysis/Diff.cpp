// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs up the actions of two sides and tests their means.

#include "Analysis/Diff.h"

#include "Analysis/FlatRows.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace loopscope;

namespace {
// Histograms tell nothing of fewer spans.
constexpr uint64_t LeastSpans = 30;
constexpr size_t LeastRuns = 2;

// Two-sided 95 % of Student's t. Between two entries the smaller degree counts:
// its value is the more careful one.
double criticalT(double Degrees) {
  struct Entry {
    double Degrees, T;
  };
  constexpr Entry Table[] = {
      {1, 12.706},  {2, 4.303},   {3, 3.182},  {4, 2.776},  {5, 2.571},
      {6, 2.447},   {7, 2.365},   {8, 2.306},  {9, 2.262},  {10, 2.228},
      {12, 2.179},  {15, 2.131},  {20, 2.086}, {30, 2.042}, {60, 2.000},
      {120, 1.980}, {1000, 1.962}};
  double T = Table[0].T;
  for (const Entry &Each : Table)
    if (Each.Degrees <= Degrees)
      T = Each.T;
  return T;
}

// The sample's variance; two values at least.
double varianceOf(const std::vector<double> &Values, double Mean) {
  double Sum = 0;
  for (double Each : Values)
    Sum += (Each - Mean) * (Each - Mean);
  return Sum / static_cast<double>(Values.size() - 1);
}

std::optional<WelchTest> testSpans(const Moments &A, const Moments &B) {
  if (A.count() < LeastSpans || B.count() < LeastSpans)
    return std::nullopt;
  return welchTest(A.meanNs(), A.deviationNs() * A.deviationNs(), A.count(),
                   B.meanNs(), B.deviationNs() * B.deviationNs(), B.count());
}

std::optional<WelchTest> testRuns(const DiffSide &A, const DiffSide &B) {
  if (A.RunMeansNs.size() < LeastRuns || B.RunMeansNs.size() < LeastRuns)
    return std::nullopt;
  return welchTest(A.MeanNs, varianceOf(A.RunMeansNs, A.MeanNs),
                   A.RunMeansNs.size(), B.MeanNs,
                   varianceOf(B.RunMeansNs, B.MeanNs), B.RunMeansNs.size());
}

// The stage of that kind in each run of a side.
class Side {
public:
  explicit Side(const std::vector<Run> &Runs) : Runs(Runs) {
    for (const Run &P : Runs) {
      All.push_back(findStages(P));
      Gpu.emplace_back(P);
    }
  }

  bool hasGpu() const {
    return std::any_of(Gpu.begin(), Gpu.end(),
                       [](const GpuByNode &Each) { return Each.hasData(); });
  }

  const std::vector<Stages> &stages() const { return All; }

  // Adds what the runs did in stage KIND to INTO, through SIDE of each action;
  // returns the stage's mean wall time.
  double addTo(std::vector<ActionChange> &Into, loopscope_kind Kind,
               DiffSide ActionChange::*Side) const {
    auto Count = static_cast<double>(Runs.size());
    double Wall = 0;
    for (size_t I = 0; I < Runs.size(); ++I)
      for (const Stage &S : All[I].List) {
        if (S.Kind != Kind)
          continue;
        Wall += static_cast<double>(S.WallNs) / Count;
        for (const FlatRow &R : flatten(Runs[I], Gpu[I], All[I], S).Rows) {
          DiffSide &To = action(Into, R.Name).*Side;
          add(R, To, Count);
          To.Cpu.add(R.Cpu);
          To.CountedNs = saturatingAdd(To.CountedNs, R.CountedNs);
          To.GpuNs += static_cast<double>(Gpu[I].busyNs(R.Gpu)) / Count;
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
    In.push_back({Name, {}, {}, {}});
    return In.back();
  }

  static void add(const FlatRow &R, DiffSide &To, double Runs) {
    To.TotalNs += static_cast<double>(R.TotalNs) / Runs;
    if (R.Spans.count() == 0)
      return;
    To.RunMeansNs.push_back(R.Spans.meanNs());
    To.Spans.merge(R.Spans);
    auto Count = static_cast<double>(To.RunMeansNs.size());
    To.MeanNs += (To.RunMeansNs.back() - To.MeanNs) / Count;
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
  if (Before.MeanNs <= 0 || After.RunMeansNs.empty())
    return std::nullopt;
  return (After.MeanNs / Before.MeanNs - 1) * 100;
}

std::optional<WelchTest> loopscope::welchTest(double MeanA, double VarianceA,
                                              uint64_t CountA, double MeanB,
                                              double VarianceB,
                                              uint64_t CountB) {
  double A = VarianceA / static_cast<double>(CountA);
  double B = VarianceB / static_cast<double>(CountB);
  double Variance = A + B;
  if (Variance <= 0)
    return std::nullopt;
  // Welch and Satterthwaite's degrees of freedom.
  double Degrees = Variance * Variance /
                   (A * A / static_cast<double>(CountA - 1) +
                    B * B / static_cast<double>(CountB - 1));
  return WelchTest{(MeanB - MeanA) / std::sqrt(Variance), criticalT(Degrees)};
}

std::vector<StageChange> loopscope::compareRuns(const std::vector<Run> &Before,
                                                const std::vector<Run> &After,
                                                DiffTest By) {
  Side Old(Before), New(After);
  std::vector<StageChange> Result;
  for (const Stage &S : allStages(Old, New)) {
    StageChange Change;
    Change.Of = S;
    Change.HasGpu = Old.hasGpu() || New.hasGpu();
    Change.RunsBefore = Before.size();
    Change.RunsAfter = After.size();
    Change.WallBeforeNs =
        Old.addTo(Change.Actions, S.Kind, &ActionChange::Before);
    Change.WallAfterNs =
        New.addTo(Change.Actions, S.Kind, &ActionChange::After);
    for (ActionChange &Each : Change.Actions)
      Each.Test = By == DiffTest::Runs
                      ? testRuns(Each.Before, Each.After)
                      : testSpans(Each.Before.Spans, Each.After.Spans);
    std::stable_sort(Change.Actions.begin(), Change.Actions.end(),
                     [](const ActionChange &A, const ActionChange &B) {
                       return std::abs(A.totalNs()) > std::abs(B.totalNs());
                     });
    Result.push_back(std::move(Change));
  }
  return Result;
}

const ActionChange *
loopscope::worstSlowdown(const std::vector<StageChange> &Stages) {
  const ActionChange *Worst = nullptr;
  for (const StageChange &Stage : Stages)
    for (const ActionChange &Each : Stage.Actions) {
      if (!Each.Test || !Each.Test->isSignificant())
        continue;
      double Percent = Each.percent().value_or(0);
      if (Percent > 0 && (!Worst || Percent > *Worst->percent()))
        Worst = &Each;
    }
  return Worst;
}
