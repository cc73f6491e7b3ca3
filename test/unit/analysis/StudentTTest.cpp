// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Student's t against published tables and a slow integral; Holm's correction
// against its definition.

#include "Analysis/Compare/StudentT.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace loopscope;

namespace {
TEST(StudentT, AgreesWithPublishedQuantiles) {
  struct Entry {
    double Probability, Degrees, T;
  };
  constexpr Entry Table[] = {
      {0.05, 1, 12.706}, {0.05, 2, 4.303},  {0.05, 4, 2.776},
      {0.05, 9, 2.262},  {0.05, 30, 2.042}, {0.05, 120, 1.980},
      {0.01, 5, 4.032},  {0.01, 9, 3.250},  {0.01, 1000, 2.581},
      {0.001, 9, 4.781}, {0.001, 29, 3.659}};
  for (const Entry &Each : Table)
    EXPECT_NEAR(criticalT(Each.Probability, Each.Degrees), Each.T, 0.0006)
        << Each.Probability << " with " << Each.Degrees;
}

// Twice the integral of the density from T on, by Simpson's rule with t = T /
// u.
double slowProbability(double T, double Degrees) {
  constexpr int Pieces = 20000;
  double Scale =
      std::exp(std::lgamma((Degrees + 1) / 2) - std::lgamma(Degrees / 2)) /
      std::sqrt(Degrees * M_PI);
  auto Value = [&](double U) {
    if (U <= 0)
      return 0.0;
    double X = T / U;
    return Scale * std::pow(1 + X * X / Degrees, -(Degrees + 1) / 2) * T /
           (U * U);
  };
  double Sum = Value(0) + Value(1);
  for (int I = 1; I < Pieces; ++I)
    Sum += Value(static_cast<double>(I) / Pieces) * (I % 2 == 0 ? 2 : 4);
  return 2 * Sum / Pieces / 3;
}

TEST(StudentT, AgreesWithASlowIntegral) {
  std::mt19937 Random(7);
  std::uniform_real_distribution<double> AnyT(0.05, 12);
  std::uniform_real_distribution<double> AnyDegrees(1.5, 60);
  for (int Round = 0; Round < 100; ++Round) {
    double T = AnyT(Random);
    double Degrees = AnyDegrees(Random);
    EXPECT_NEAR(probabilityOfT(T, Degrees), slowProbability(T, Degrees), 1e-6)
        << T << " with " << Degrees;
  }
}

TEST(StudentT, HandlesExtremes) {
  EXPECT_DOUBLE_EQ(probabilityOfT(0, 5), 1);
  EXPECT_DOUBLE_EQ(probabilityOfT(-2, 5), probabilityOfT(2, 5));
  EXPECT_LT(probabilityOfT(1e6, 50), 1e-100);
  EXPECT_NEAR(probabilityOfT(1, 1), 0.5, 1e-12);
}

TEST(Holm, MultipliesByTheRemainingTests) {
  std::vector<double> Corrected = holmCorrected({0.01, 0.04, 0.03, 0.005});
  std::vector<double> Expected = {0.03, 0.06, 0.06, 0.02};
  for (size_t I = 0; I < Expected.size(); ++I)
    EXPECT_NEAR(Corrected[I], Expected[I], 1e-12);
  EXPECT_EQ(holmCorrected({0.9, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holmCorrected({}).empty());
}

// Rejecting everything corrected to at most ALPHA is Holm's step-down
// procedure.
TEST(Holm, AgreesWithTheStepDownProcedure) {
  std::mt19937 Random(11);
  std::uniform_real_distribution<double> Exponent(-4, 0);
  for (int Round = 0; Round < 500; ++Round) {
    std::vector<double> All(1 + Random() % 8);
    for (double &Each : All)
      Each = std::pow(10, Exponent(Random));
    std::vector<double> Corrected = holmCorrected(All);
    std::vector<double> Sorted = All;
    std::sort(Sorted.begin(), Sorted.end());
    constexpr double Alpha = 0.05;
    size_t Rejected = 0;
    while (Rejected < Sorted.size() &&
           Sorted[Rejected] * static_cast<double>(Sorted.size() - Rejected) <=
               Alpha)
      ++Rejected;
    auto Count = static_cast<size_t>(
        std::count_if(Corrected.begin(), Corrected.end(),
                      [](double Each) { return Each <= Alpha; }));
    ASSERT_EQ(Count, Rejected);
  }
}
} // namespace
