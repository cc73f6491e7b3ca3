// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate of what-if experiments: exact on round numbers, and on simulated
// steps its interval contains the true slope as often as claimed.

#include <loopscope/whatif_estimate.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace loopscope::whatif;

namespace {
Steps stepsOf(const std::vector<uint64_t> &Ticks) {
  return {Ticks.data(), static_cast<uint32_t>(Ticks.size())};
}

TEST(WhatifEstimate, ASlopeIsTheChangePerInjectedTime) {
  std::vector<uint64_t> Before = {100, 100}, Longer = {130, 130, 130},
                        After = {120, 120};
  Experiment E =
      experimentOf(stepsOf(Before), stepsOf(Longer), stepsOf(After), 120, 1);
  EXPECT_TRUE(E.IsKnown);
  EXPECT_EQ(E.StepTicks, 110);
  EXPECT_EQ(E.Change, 20);
  EXPECT_EQ(E.Slope, 0.5);
  // Four threads at once: each had a quarter of the injected time.
  E = experimentOf(stepsOf(Before), stepsOf(Longer), stepsOf(After), 120, 4);
  EXPECT_EQ(E.Slope, 2);
}

TEST(WhatifEstimate, WithoutInjectionThereIsNoExperiment) {
  std::vector<uint64_t> Any = {100, 100};
  std::vector<uint64_t> None;
  EXPECT_FALSE(
      experimentOf(stepsOf(Any), stepsOf(Any), stepsOf(Any), 0, 1).IsKnown);
  EXPECT_FALSE(
      experimentOf(stepsOf(Any), stepsOf(Any), stepsOf(Any), 9, 0).IsKnown);
  EXPECT_FALSE(
      experimentOf(stepsOf(None), stepsOf(Any), stepsOf(Any), 9, 1).IsKnown);
}

// Delayed steps are in the slower half of a block.
TEST(WhatifEstimate, DelayedStepsDontCount) {
  std::vector<uint64_t> Before = {100, 100, 100, 100, 100, 100, 100, 140, 100},
                        Longer = {150, 150, 150, 150, 190, 150, 150, 150, 150},
                        After = {100, 100, 100, 100, 100, 100, 100, 100, 100};
  Experiment E =
      experimentOf(stepsOf(Before), stepsOf(Longer), stepsOf(After), 900, 1);
  EXPECT_EQ(E.StepTicks, 100);
  // Four of six stretches contain the fifth step; half are three.
  EXPECT_NEAR(E.Slope, 0.5 + 10.0 / 3 / 100, 1e-9);
}

// A pipeline that waits in every second to sixth step does so in every stretch.
// One that waits in every seventh does so in the slower half, which is most of
// the time.
TEST(WhatifEstimate, PeriodicWaitsCount) {
  for (uint64_t Period = 2; Period <= 7; ++Period) {
    std::vector<uint64_t> Plain, Longer;
    for (uint64_t I = 0; I < 21 / Period * Period; ++I) {
      bool Waits = I % Period == Period - 1;
      Plain.push_back(Waits ? 10 + 400 * Period : 10);
      Longer.push_back(Waits ? 10 + 500 * Period : 10);
    }
    Experiment E = experimentOf(stepsOf(Plain), stepsOf(Longer), stepsOf(Plain),
                                100 * Plain.size(), 1);
    EXPECT_NEAR(E.StepTicks, 410, 1e-9) << Period;
    EXPECT_NEAR(E.Slope, 1, 1e-9) << Period;
  }
}

// Among such steps, one that is more than twice as long as all but one of the
// others is excluded.
TEST(WhatifEstimate, MuchLongerStepsDontCount) {
  std::vector<uint64_t> Before = {10, 100, 1000}, Longer = {60, 150, 5000},
                        After = {10, 100, 400};
  EXPECT_EQ(limitOf(stepsOf(Before), stepsOf(After)), 800U);
  EXPECT_EQ(meanOf(stepsOf(Before), 800), 55);
  EXPECT_EQ(meanOf(stepsOf(Longer), 800), 105);
}

TEST(WhatifEstimate, RootsAgreeWithTheLibrary) {
  for (double Square : {0.0, 1e-12, 0.25, 2.0, 1e6, 3e18})
    EXPECT_NEAR(rootOf(Square), std::sqrt(Square), 1e-9 * std::sqrt(Square));
}

// From R: t.test(c(1, 2, 3, 4)), conf.int 0.4457397 to 4.5542603. Ours is 15%
// wider.
TEST(WhatifEstimate, UntrimmedIntervalIsStudents) {
  double Slopes[] = {4, 2, 1, 3};
  loopscope::whatif::Interval I = intervalOf(Slopes, 4);
  EXPECT_TRUE(I.IsKnown);
  EXPECT_EQ(I.Slope, 2.5);
  EXPECT_NEAR(2.5 - I.Low, 1.15 * 2.0542603, 1e-3);
  EXPECT_NEAR(I.High - 2.5, 1.15 * 2.0542603, 1e-3);
}

// Of ten values, the largest and the smallest are dropped, whatever they are.
TEST(WhatifEstimate, OneOutlierInTenIsTrimmed) {
  double Tame[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  double Wild[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9};
  loopscope::whatif::Interval A = intervalOf(Tame, 10);
  loopscope::whatif::Interval B = intervalOf(Wild, 10);
  EXPECT_EQ(A.Slope, 5.5);
  EXPECT_EQ(A.Low, B.Low);
  EXPECT_EQ(A.High, B.High);
}

TEST(WhatifEstimate, FewExperimentsHaveNoInterval) {
  double Two[] = {1, 1};
  EXPECT_FALSE(intervalOf(Two, 2).IsKnown);
  double Same[] = {1, 1, 1, 1, 1, 1, 1};
  EXPECT_NEAR(intervalOf(Same, 7).width(), 0, 1e-9);
  EXPECT_FALSE(intervalOf(Same, 7).isNarrow());
}

// Steps of 10 ms as on a real machine: noise, drift, single long steps, and
// slow periods.
struct World {
  double Noise, DriftPerStep, LongSteps, Spells;
};

class Machine {
public:
  Machine(unsigned Seed, World Of) : Random(Seed), Of(Of) {}

  std::vector<uint64_t> block(double Longer) {
    for (int I = 0; I < 6; ++I)
      step(Longer);
    std::vector<uint64_t> Ticks(10 + Random() % 9);
    for (uint64_t &Each : Ticks)
      Each = step(Longer);
    return Ticks;
  }

private:
  uint64_t step(double Longer) {
    std::normal_distribution<double> Normal(0, 1);
    std::uniform_real_distribution<double> Uniform(0, 1);
    double Ticks = 1e7 * (1 + Of.DriftPerStep * Count++) *
                       (1 + Of.Noise * Normal(Random)) +
                   Longer;
    if (Uniform(Random) < Of.LongSteps)
      Ticks *= 5;
    if (Spell == 0 && Uniform(Random) < Of.Spells)
      Spell = 30;
    if (Spell > 0) {
      --Spell;
      Ticks *= 1.3;
    }
    return static_cast<uint64_t>(std::max(Ticks, 1.0));
  }

  std::mt19937_64 Random;
  World Of;
  int Count = 0;
  int Spell = 0;
};

struct Outcome {
  int Covered = 0;
  int Narrow = 0;
};

// 500 runs, each until its interval is narrow, or for 40 experiments.
Outcome simulate(World Of, double Slope) {
  Outcome Result;
  constexpr double Injected = 6e5; // 15 % of a phase of 4 ms
  for (unsigned Seed = 1; Seed <= 500; ++Seed) {
    Machine M(Seed, Of);
    std::vector<double> Slopes;
    loopscope::whatif::Interval I;
    while (Slopes.size() < 40 && !I.isNarrow()) {
      for (int Others = 0; Others < 4; ++Others)
        M.block(0);
      auto Before = M.block(0);
      auto Longer = M.block(Injected * Slope);
      auto After = M.block(0);
      auto All = static_cast<uint64_t>(Injected) * Longer.size();
      Slopes.push_back(
          experimentOf(stepsOf(Before), stepsOf(Longer), stepsOf(After), All, 1)
              .Slope);
      std::vector<double> Sorted = Slopes;
      I = intervalOf(Sorted.data(), static_cast<uint32_t>(Sorted.size()));
    }
    Result.Covered += I.Low <= Slope && Slope <= I.High;
    Result.Narrow += I.isNarrow();
  }
  return Result;
}

// 95 % of 500 is 475, with a standard deviation of 5.
constexpr int LeastCovered = 465;

// Any slope shifts all of them alike, so one is enough.
TEST(WhatifEstimate, TheIntervalContainsTheTruth) {
  constexpr double Slope = 0.5;
  Outcome Quiet = simulate({0.02, 0, 0, 0}, Slope);
  Outcome Drifting = simulate({0.03, 1.5e-4, 0, 0}, Slope);
  Outcome LongSteps = simulate({0.03, 1.5e-4, 0.01, 0}, Slope);
  Outcome Spells = simulate({0.03, 1.5e-4, 0.01, 0.004}, Slope);
  EXPECT_EQ(Quiet.Narrow, 500);
  EXPECT_GE(Quiet.Covered, LeastCovered);
  EXPECT_GE(Drifting.Covered, LeastCovered);
  EXPECT_GE(LongSteps.Covered, LeastCovered);
  EXPECT_GE(Spells.Covered, LeastCovered);
  RecordProperty("quiet", Quiet.Covered);
  RecordProperty("drifting", Drifting.Covered);
  RecordProperty("long_steps", LongSteps.Covered);
  RecordProperty("spells", Spells.Covered);
}
} // namespace
