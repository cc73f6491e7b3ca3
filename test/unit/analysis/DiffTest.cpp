// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests for changed means, on simulated samples with known truth: how often
// they report a change that isn't there, and whether their intervals contain
// the true one.

#include "Analysis/Compare/Diff.h"
#include "Analysis/Compare/StudentT.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <vector>

using namespace loopscope;

namespace {
SampleMean sampleOf(const std::vector<double> &Values) {
  auto Count = static_cast<double>(Values.size());
  double Mean = 0;
  for (double Each : Values)
    Mean += Each / Count;
  double Squares = 0;
  for (double Each : Values)
    Squares += (Each - Mean) * (Each - Mean);
  return {Mean, Squares / (Count - 1), Values.size()};
}

// Runs of a program, before and after, on a machine that drifts.
struct Machine {
  std::mt19937 Random{18};
  double Noise; ///< of a run, relative
  double Drift; ///< shared by both runs of a pair

  Machine(double Noise, double Drift) : Noise(Noise), Drift(Drift) {}

  void measure(size_t Runs, double Factor, std::vector<double> &Before,
               std::vector<double> &After) {
    std::normal_distribution<double> Normal;
    Before.clear();
    After.clear();
    for (size_t I = 0; I < Runs; ++I) {
      double Common = 1 + Drift * Normal(Random);
      Before.push_back(Common * (1 + Noise * Normal(Random)));
      After.push_back(Common * Factor * (1 + Noise * Normal(Random)));
    }
  }
};

struct Rates {
  double Rejected = 0; ///< at a significance of up to 1 %
  double Covered = 0;  ///< the interval contains the true change
};

enum class By { Welch, Pairs };

Rates ratesOf(Machine On, By Test, size_t Runs, double Factor) {
  constexpr int Rounds = 1500;
  std::vector<double> Before, After;
  int Rejected = 0;
  int Covered = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    On.measure(Runs, Factor, Before, After);
    std::optional<MeanTest> Result =
        Test == By::Pairs ? pairTest(Before, After)
                          : welchTest(sampleOf(Before), sampleOf(After));
    Rejected += Result->Probability <= 0.01;
    double True = (Factor - 1) * 100;
    Covered += Result->LowPercent <= True && True <= Result->HighPercent;
  }
  return {static_cast<double>(Rejected) / Rounds,
          static_cast<double>(Covered) / Rounds};
}

TEST(Diff, FalseAlarmsAreRare) {
  for (size_t Runs : {3U, 10U, 30U}) {
    Rates Welch = ratesOf({0.02, 0}, By::Welch, Runs, 1);
    EXPECT_LT(Welch.Rejected, 0.02) << Runs;
    EXPECT_NEAR(Welch.Covered, 0.955, 0.025) << Runs;
    Rates Pairs = ratesOf({0.02, 0.1}, By::Pairs, Runs, 1);
    EXPECT_LT(Pairs.Rejected, 0.02) << Runs;
    EXPECT_NEAR(Pairs.Covered, 0.95, 0.025) << Runs;
  }
}

TEST(Diff, IntervalsHoldTheTrueChange) {
  for (double Factor : {0.5, 1.05, 2.0}) {
    EXPECT_NEAR(ratesOf({0.02, 0}, By::Welch, 10, Factor).Covered, 0.95, 0.02);
    EXPECT_NEAR(ratesOf({0.02, 0.1}, By::Pairs, 10, Factor).Covered, 0.95,
                0.02);
  }
}

TEST(Diff, PairsCancelTheMachinesDrift) {
  EXPECT_GT(ratesOf({0.01, 0.2}, By::Pairs, 10, 1.05).Rejected, 0.99);
  EXPECT_LT(ratesOf({0.01, 0.2}, By::Welch, 10, 1.05).Rejected, 0.2);
}

// Something else disturbs a twentieth of the runs.
TEST(Diff, PairsTolerateOutliers) {
  Machine Busy(0.01, 0);
  std::uniform_real_distribution<double> Any(0, 1);
  std::vector<double> Before, After;
  int Found = 0;
  int Wrong = 0;
  constexpr int Rounds = 1000;
  for (int Round = 0; Round < Rounds; ++Round)
    for (double Factor : {1.0, 1.05}) {
      Busy.measure(20, Factor, Before, After);
      for (std::vector<double> *Side : {&Before, &After})
        for (double &Each : *Side)
          Each *= Any(Busy.Random) < 0.05 ? 1.5 : 1;
      bool IsChanged = pairTest(Before, After)->Probability <= 0.01;
      (Factor > 1 ? Found : Wrong) += IsChanged;
    }
  EXPECT_GT(Found, Rounds * 0.97);
  EXPECT_LT(Wrong, Rounds * 0.02);
}

// By the definitions: the ends of the interval are the changes that a test of
// this level just doesn't reject, and 0 is one of the others exactly if the
// test rejects it.
TEST(Diff, TestAndIntervalAgree) {
  std::mt19937 Random(31);
  std::lognormal_distribution<double> Any(0, 1.5);
  int Changed = 0, Unlimited = 0;
  for (int Round = 0; Round < 4000; ++Round) {
    SampleMean A = {Any(Random), Any(Random) / 4, 2 + Random() % 9};
    SampleMean B = {Any(Random), Any(Random) / 4, 2 + Random() % 9};
    std::optional<MeanTest> Test = welchTest(A, B);
    ASSERT_TRUE(Test);
    double VarianceA = A.Variance / static_cast<double>(A.Count);
    double VarianceB = B.Variance / static_cast<double>(B.Count);
    double Degrees =
        std::pow(VarianceA + VarianceB, 2) /
        (std::pow(VarianceA, 2) / static_cast<double>(A.Count - 1) +
         std::pow(VarianceB, 2) / static_cast<double>(B.Count - 1));
    auto ProbabilityOf = [&](double Percent) {
      double Ratio = 1 + Percent / 100;
      return probabilityOfT(
          (B.Mean - Ratio * A.Mean) /
              std::sqrt(VarianceB + Ratio * Ratio * VarianceA),
          Degrees);
    };
    bool HasNone = Test->LowPercent <= 0 && 0 <= Test->HighPercent;
    EXPECT_EQ(HasNone, Test->Probability >= 0.05);
    EXPECT_LE(Test->LowPercent, Test->Percent);
    EXPECT_GE(Test->HighPercent, Test->Percent);
    EXPECT_GE(Test->LowPercent, -100);
    if (Test->LowPercent > -100) {
      EXPECT_NEAR(ProbabilityOf(Test->LowPercent), 0.05, 1e-6);
    }
    if (std::isfinite(Test->HighPercent)) {
      EXPECT_NEAR(ProbabilityOf(Test->HighPercent), 0.05, 1e-6);
    } else {
      EXPECT_GE(ProbabilityOf(1e9), 0.05 - 1e-6);
    }
    Changed += !HasNone;
    Unlimited += !std::isfinite(Test->HighPercent);
  }
  EXPECT_GT(Changed, 400);
  EXPECT_GT(Unlimited, 400);
}

// Whatever the pairs are, the means that a test names have its change.
TEST(Diff, ChangesAreThoseOfTheMeans) {
  std::mt19937 Random(8);
  std::lognormal_distribution<double> Any(0, 1);
  for (int Round = 0; Round < 2000; ++Round) {
    std::vector<double> Before, After;
    for (size_t I = 2 + Random() % 12; I-- > 0;) {
      Before.push_back(Any(Random));
      After.push_back(Any(Random));
    }
    for (const std::optional<MeanTest> &Test :
         {pairTest(Before, After),
          welchTest(sampleOf(Before), sampleOf(After))}) {
      ASSERT_TRUE(Test);
      EXPECT_NEAR(Test->Percent, (Test->After / Test->Before - 1) * 100,
                  1e-6 * (101 + Test->Percent));
      EXPECT_EQ(Test->LowPercent <= 0 && 0 <= Test->HighPercent,
                Test->Probability >= 0.05);
    }
  }
  // Arithmetic means fall from 42.5 to 21, those of the pairs grow.
  std::optional<MeanTest> Test = pairTest({80, 5}, {22, 20});
  ASSERT_TRUE(Test);
  EXPECT_NEAR(Test->Before, 20, 1e-9);
  EXPECT_NEAR(Test->After, std::sqrt(440.0), 1e-9);
  EXPECT_NEAR(Test->Percent, 4.88, 0.01);
}

// Skewed values, and values that depend on the one before: what the intervals
// promise to hold, and what docs/report.md says of spans.
TEST(Diff, SkewedRunsAreSaidToDifferNoMoreOften) {
  std::mt19937 Random(5);
  std::lognormal_distribution<double> Skewed(0, 1);
  for (size_t Runs : {4U, 10U, 30U}) {
    int Wrong = 0, Covered = 0;
    constexpr int Rounds = 2000;
    for (int Round = 0; Round < Rounds; ++Round) {
      std::vector<double> Before, After;
      for (size_t I = 0; I < Runs; ++I) {
        Before.push_back(Skewed(Random));
        After.push_back(1.5 * Skewed(Random));
      }
      std::optional<MeanTest> Test =
          welchTest(sampleOf(Before), sampleOf(After));
      Covered += Test->LowPercent <= 50 && 50 <= Test->HighPercent;
      for (double &Each : After)
        Each /= 1.5;
      Test = welchTest(sampleOf(Before), sampleOf(After));
      Wrong += Test->Probability <= 0.05;
    }
    EXPECT_LT(Wrong, Rounds * 0.06) << Runs;
    EXPECT_GT(Covered, Rounds * 0.92) << Runs;
  }
}

TEST(Diff, NoTestWithoutSpread) {
  EXPECT_FALSE(pairTest({0, 1}, {2, 3}));
  EXPECT_FALSE(welchTest({0, 0, 9}, {2, 1, 9}));
  EXPECT_FALSE(pairTest({1, 1}, {2, 2}));
  EXPECT_FALSE(welchTest({1, 0, 9}, {2, 0, 9}));
}

// Yuen's test of trimmed means: of ten pairs, two are trimmed at either end,
// which leaves six and five degrees of freedom.
TEST(Diff, PairsAreTrimmed) {
  std::vector<double> Before(10, 1);
  std::vector<double> After;
  for (double Log : {0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.5})
    After.push_back(std::exp(Log));
  std::optional<MeanTest> Test = pairTest(Before, After);
  ASSERT_TRUE(Test);
  EXPECT_NEAR(Test->T, 3.92908, 0.00001);
  EXPECT_NEAR(Test->Probability, 0.0110806, 0.0000001);
  EXPECT_NEAR(Test->Percent, 4.602786, 0.000001);
  EXPECT_NEAR(Test->LowPercent, 1.568061, 0.00001);
  EXPECT_NEAR(Test->HighPercent, 7.728185, 0.00001);
}

TEST(Diff, AgreesWithPublishedTTests) {
  // Means 11 and 14, variances 1: t = 3 / sqrt(2 / 3) with 4 degrees.
  std::optional<MeanTest> Test = welchTest({11, 1, 3}, {14, 1, 3});
  ASSERT_TRUE(Test);
  EXPECT_NEAR(Test->T, 3.674, 0.001);
  EXPECT_NEAR(Test->Probability, 0.0213, 0.0001);
}
} // namespace
