// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether shares by samples at random times are within the intervals that are
// printed: loops of known shares and periods, sampled at the times that a perf
// event would have. The clock that draws a time runs with the loop, as it does
// in a program without any other disturbance.

#include "stacks/source.h"

#include "Analysis/Samples/FunctionRows.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

using namespace loopscope::runtime;

namespace {
constexpr double NsPerSecond = 1e9, NsPerMs = 1e6;
/// Parts of the loop's period, in this order.
constexpr std::array<double, 3> Parts = {0.6, 0.3, 0.1};
constexpr int Runs = 1000, Samples = 1000;

/// A clock of so many nanoseconds per tick: a processor's, and an Arm server's
/// of 25 MHz.
constexpr std::array<double, 2> TickNs = {1 / 2.4, 40};

/// Intervals of a loop's shares, and those that have the truth in them.
struct Coverage {
  int All = 0, Right = 0;

  void add(const Coverage &Other) {
    All += Other.All;
    Right += Other.Right;
  }
  double percent() const { return 100.0 * Right / All; }
};

/// One run of the loop, sampled from START on, a time since its beginning.
Coverage runOf(double PeriodNs, double Hz, double Tick, double Start) {
  auto Interval = static_cast<uint64_t>(NsPerSecond / Hz);
  double Now = Start, End = Start + Samples * NsPerSecond / Hz;
  std::array<uint64_t, Parts.size()> Counts{};
  uint64_t All = 0;
  for (;;) {
    Now += static_cast<double>(
        randomInterval(Interval, static_cast<uint64_t>(Now / Tick)));
    if (Now >= End)
      break;
    double Place = Now / PeriodNs - std::floor(Now / PeriodNs);
    ++Counts[Place < Parts[0] ? 0 : Place < Parts[0] + Parts[1] ? 1 : 2];
    ++All;
  }
  Coverage Result;
  for (size_t I = 0; I < Parts.size(); ++I) {
    loopscope::SampleShare Share = loopscope::sampleShare(Counts[I], All);
    ++Result.All;
    Result.Right += Share.Low <= Parts[I] * 100 && Parts[I] * 100 <= Share.High;
  }
  return Result;
}

Coverage runsOf(double PeriodNs, double Hz, double Tick) {
  std::mt19937_64 Random(1);
  Coverage Result;
  for (int I = 0; I < Runs; ++I)
    Result.add(runOf(PeriodNs, Hz, Tick,
                     static_cast<double>(Random() % (1ULL << 50))));
  return Result;
}
} // namespace

// A run's 95 % intervals are right in 95 of 100 runs, whatever the period is;
// of a single loop's, some more or fewer by chance.
TEST(SampleTimesTest, SharesAreWithinTheirIntervals) {
  constexpr double ByChance = 1.5; // three standard deviations
  Coverage All;
  for (double Hz : {100.0, 250.0, 1000.0})
    for (double Tick : TickNs) {
      auto Check = [&](double PeriodNs) {
        Coverage Of = runsOf(PeriodNs, Hz, Tick);
        EXPECT_GE(Of.percent(), 95 - ByChance)
            << PeriodNs / NsPerMs << " ms at " << Hz << " Hz";
        All.add(Of);
      };
      for (double Ms : {1, 2, 4, 5, 8, 10, 16, 20})
        Check(Ms * NsPerMs);
      // Where bounded intervals fail.
      for (double Part : {0.4, 2.0 / 3, 0.8, 1.0, 1.25})
        Check(Part * NsPerSecond / Hz);
    }
  EXPECT_GE(All.percent(), 95);
}

// There are as many samples as were asked for.
TEST(SampleTimesTest, TheMeanIsTheInterval) {
  constexpr uint64_t Interval = 1000000;
  constexpr int Draws = 1000000;
  std::mt19937_64 Random(1);
  double Sum = 0;
  for (int I = 0; I < Draws; ++I) {
    uint64_t Next = randomInterval(Interval, Random());
    EXPECT_GE(Next, Interval / 16);
    EXPECT_LT(Next, 50 * Interval);
    Sum += static_cast<double>(Next);
  }
  EXPECT_NEAR(Sum / Draws, Interval, 0.005 * Interval);
}
