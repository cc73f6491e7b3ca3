// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The incomplete beta function as a continued fraction, by Lentz's method.

#include "Analysis/Compare/StudentT.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

using namespace loopscope;

namespace {
// The continued fraction of the incomplete beta function. It converges fast for
// X below (A + 1) / (A + B + 2).
double betaFraction(double X, double A, double B) {
  constexpr double Tiny = 1e-300;
  constexpr double Enough = 1e-15;
  constexpr int MostSteps = 1000;
  auto NotZero = [](double Value) {
    return std::abs(Value) < Tiny ? Tiny : Value;
  };
  double C = 1;
  double D = 1 / NotZero(1 - (A + B) * X / (A + 1));
  double Result = D;
  for (int Step = 1; Step <= MostSteps; ++Step) {
    double M = Step;
    double Even = M * (B - M) * X / ((A + 2 * M - 1) * (A + 2 * M));
    double Odd = -(A + M) * (A + B + M) * X / ((A + 2 * M) * (A + 2 * M + 1));
    for (double Part : {Even, Odd}) {
      D = 1 / NotZero(1 + Part * D);
      C = NotZero(1 + Part / C);
      Result *= C * D;
    }
    if (std::abs(C * D - 1) < Enough)
      break;
  }
  return Result;
}

// The regularized incomplete beta function.
double incompleteBeta(double X, double A, double B) {
  if (X <= 0)
    return 0;
  if (X >= 1)
    return 1;
  double Front = std::exp(std::lgamma(A + B) - std::lgamma(A) - std::lgamma(B) +
                          A * std::log(X) + B * std::log1p(-X));
  return X < (A + 1) / (A + B + 2) ? Front * betaFraction(X, A, B) / A
                                   : 1 - Front * betaFraction(1 - X, B, A) / B;
}
} // namespace

double loopscope::probabilityOfT(double T, double Degrees) {
  return incompleteBeta(Degrees / (Degrees + T * T), Degrees / 2, 0.5);
}

double loopscope::criticalT(double Probability, double Degrees) {
  double Low = 0;
  double High = 1;
  while (probabilityOfT(High, Degrees) > Probability)
    High *= 2;
  constexpr int Halvings = 60; // as many as a double has digits, and some
  for (int I = 0; I < Halvings; ++I) {
    double Middle = (Low + High) / 2;
    (probabilityOfT(Middle, Degrees) > Probability ? Low : High) = Middle;
  }
  return High;
}

std::vector<double>
loopscope::holmCorrected(const std::vector<double> &Probabilities) {
  std::vector<size_t> Order(Probabilities.size());
  std::iota(Order.begin(), Order.end(), size_t{0});
  std::sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return Probabilities[A] < Probabilities[B];
  });
  std::vector<double> Result(Probabilities.size());
  double Largest = 0;
  for (size_t I = 0; I < Order.size(); ++I) {
    auto Left = static_cast<double>(Order.size() - I);
    Largest = std::max(Largest, Left * Probabilities[Order[I]]);
    Result[Order[I]] = std::min(Largest, 1.0);
  }
  return Result;
}
