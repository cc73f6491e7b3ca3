// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both sides in the same buckets and bins, from durations that are known.

#include "Analysis/Compare/StepSpread.h"
#include "DescribedRun.h"
#include "Milliseconds.h"
#include "Run/Model/Moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace loopscope;

namespace {
std::vector<Run> steps(const std::string &Spans) {
  std::vector<Run> Result;
  Result.push_back(
      describedRun("wall 99s\nthread main\n  train train spans=90s\n"
                   "    step spans=" +
                   Spans + "\n"));
  return Result;
}

double sum(const std::vector<double> &Of) {
  return std::accumulate(Of.begin(), Of.end(), 0.0);
}

// A run of 10 s with a loop that has STEPS and MS of step time in each of its
// equal bins.
HistoryCurves history(const std::vector<uint64_t> &Steps,
                      const std::vector<int64_t> &Ms) {
  HistoryCurves Result;
  LoopCurve Loop;
  for (size_t I = 0; I < Steps.size(); ++I) {
    auto At = [&](size_t Bin) {
      return static_cast<int64_t>(10'000'000'000 * Bin / Steps.size());
    };
    Result.Bins.push_back({At(I), At(I + 1), {}});
    Loop.Steps.emplace_back().Steps = Steps[I];
    Loop.StepNs.push_back(Ms[I] * 1'000'000);
  }
  Result.Loops.push_back(std::move(Loop));
  return Result;
}

std::vector<double> meansMs(const StepCurves::Line &Of) {
  std::vector<double> Result;
  for (double Each : Of.meansNs())
    Result.push_back(Each / RealMs);
  return Result;
}
} // namespace

TEST(StepSpread, SharesAddUpInTheSameBuckets) {
  std::vector<loopscope::Run> Before = steps("30x100ms,10x200ms");
  std::vector<loopscope::Run> After = steps("40x50ms,40x100ms");
  Result<ComparedSteps> Of = comparedSteps(Before, After);
  Result<StepSpread> Found = stepSpread(*Of);
  ASSERT_TRUE(Found);
  size_t Buckets = Found->EdgesNs.size() - 1;
  ASSERT_EQ(Found->Before.Percent.size(), Buckets);
  ASSERT_EQ(Found->After.Percent.size(), Buckets);
  EXPECT_DOUBLE_EQ(sum(Found->Before.Percent), 100);
  EXPECT_DOUBLE_EQ(sum(Found->After.Percent), 100);
  EXPECT_EQ(Found->Before.Steps, 40U);
  EXPECT_EQ(Found->After.Steps, 80U);
  // Each duration is in the bucket around it, and the buckets are narrow.
  auto PercentAt = [&](const StepSpread::Side &Side, double Ns) {
    size_t At = 0;
    while (Found->EdgesNs[At + 1] <= Ns)
      ++At;
    EXPECT_LE(Found->EdgesNs[At + 1] / Found->EdgesNs[At], 1.125);
    return Side.Percent[At];
  };
  EXPECT_DOUBLE_EQ(PercentAt(Found->Before, 100 * RealMs), 75);
  EXPECT_DOUBLE_EQ(PercentAt(Found->Before, 200 * RealMs), 25);
  EXPECT_DOUBLE_EQ(PercentAt(Found->After, 100 * RealMs), 50);
  EXPECT_DOUBLE_EQ(PercentAt(Found->After, 50 * RealMs), 50);
  EXPECT_LE(Found->EdgesNs.front(), 50 * RealMs);
  EXPECT_GT(Found->EdgesNs.back(), 200 * RealMs);
  EXPECT_NEAR(Found->Before.P50Ns, 100 * RealMs, 6 * RealMs);
  EXPECT_NEAR(Found->Before.P95Ns, 200 * RealMs, 12 * RealMs);
}

TEST(StepSpread, LoopsInside) {
  std::vector<loopscope::Run> Inside, Alone = steps("40x50ms");
  Inside.push_back(describedRun(
      "wall 99s\nthread main\n  train train spans=90s\n    step spans=40x90ms\n"
      "      batch spans=40x90ms\n        valid valid spans=40x20ms\n"
      "          step spans=40x20ms\n"));
  Result<ComparedSteps> Of = comparedSteps(Alone, Inside);
  Result<StepSpread> Found = stepSpread(*Of);
  ASSERT_FALSE(Found);
  EXPECT_EQ(Found.error().Message,
            "other loops run inside the steps after, whose durations aren't "
            "known without them");
}

TEST(StepCurves, TheSameNumberOfBins) {
  // 8 bins of 10 steps, of 10 and then 20 ms; against 4 bins of 30 steps.
  Result<StepCurves> Of =
      stepCurves(history({10, 10, 10, 10, 10, 10, 10, 10},
                         {100, 100, 100, 100, 200, 200, 200, 200}),
                 history({30, 30, 30, 30}, {300, 300, 900, 900}), true);
  ASSERT_TRUE(Of);
  EXPECT_EQ(Of->Bins, 4U);
  EXPECT_EQ(Of->MostSteps, 120U);
  EXPECT_EQ(meansMs(Of->Before.ByShare), (std::vector<double>{10, 10, 20, 20}));
  EXPECT_EQ(meansMs(Of->After.ByShare), (std::vector<double>{10, 10, 30, 30}));
  EXPECT_EQ(meansMs(Of->After.ByStep), (std::vector<double>{10, 10, 30, 30}));
  // By step, 80 of 120: 30 of 10 ms; 10 of 10 and 20 of 20 ms; 20 of 20 ms.
  std::vector<double> ByStep = meansMs(Of->Before.ByStep);
  EXPECT_DOUBLE_EQ(ByStep[0], 10);
  EXPECT_DOUBLE_EQ(ByStep[1], 50.0 / 3);
  EXPECT_DOUBLE_EQ(ByStep[2], 20);
  EXPECT_TRUE(std::isnan(ByStep[3]));
}

// Whatever bins are cut, nothing is lost: also the time of steps that end in a
// later bin, and bins without the loop.
TEST(StepCurves, SumsAreTheHistorys) {
  HistoryCurves Before = history({0, 7, 0, 31, 5, 0, 11, 40, 3},
                                 {0, 70, 50, 300, 90, 0, 7, 400, 1});
  HistoryCurves After = history({20, 10, 10, 10, 13}, {100, 100, 90, 100, 7});
  Result<StepCurves> Of = stepCurves(Before, After, true);
  ASSERT_TRUE(Of);
  EXPECT_EQ(Of->Bins, 5U);
  for (const StepCurves::Line *Each :
       {&Of->Before.ByShare, &Of->Before.ByStep}) {
    EXPECT_NEAR(sum(Each->Steps), 97, 1e-9);
    EXPECT_NEAR(sum(Each->Ns), 918 * RealMs, 1);
  }
  for (const StepCurves::Line *Each : {&Of->After.ByShare, &Of->After.ByStep}) {
    EXPECT_NEAR(sum(Each->Steps), 63, 1e-9);
    EXPECT_NEAR(sum(Each->Ns), 397 * RealMs, 1);
  }
}

// Bins with few steps share a mean with their neighbours, but not across a
// time in which the loop didn't run.
TEST(StepCurves, FewStepsInABin) {
  auto Means = [](std::vector<double> Steps, std::vector<double> Ns) {
    return StepCurves::Line{std::move(Steps), std::move(Ns)}.meansNs();
  };
  EXPECT_EQ(Means({5, 1, 4, 6}, {50, 60, 40, 30}),
            (std::vector<double>{10, 20, 20, 5}));
  EXPECT_EQ(Means({5, 2, 5, 1}, {50, 20, 50, 26}),
            (std::vector<double>{10, 12, 12, 12}));
  EXPECT_EQ(Means({0, 5, 5}, {50, 0, 10}), (std::vector<double>{10, 10, 2}));
  std::vector<double> Gap = Means({4, 0, 6, 4, 0, 5}, {8, 0, 6, 24, 0, 5});
  EXPECT_TRUE(std::isnan(Gap[0]) && std::isnan(Gap[1]) && std::isnan(Gap[4]));
  EXPECT_EQ(Gap[2], 3);
  EXPECT_EQ(Gap[3], 3);
  EXPECT_EQ(Gap[5], 1);
}

TEST(StepCurves, TooFewStepsOrBins) {
  HistoryCurves Enough = history({10, 10, 10, 10}, {1, 1, 1, 1});
  HistoryCurves Few = history({10, 10, 10, 9}, {1, 1, 1, 1});
  HistoryCurves Short = history({20, 20, 20}, {1, 1, 1});
  EXPECT_TRUE(stepCurves(Enough, Enough, true));
  EXPECT_EQ(stepCurves(Enough, Few, true).error().Message,
            "a side has only 39 steps in 4 recorded bins");
  EXPECT_EQ(stepCurves(Short, Enough, true).error().Message,
            "a side has only 40 steps in 3 recorded bins");
  EXPECT_EQ(stepCurves(Enough, Enough, false).error().Message,
            "the history before doesn't have the loop");
}
