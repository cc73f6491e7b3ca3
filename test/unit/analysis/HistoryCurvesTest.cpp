// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantiles of a bin's steps, against durations that are known.

#include "Analysis/Steps/HistoryCurves.h"

#include <loopscope/history_lanes.h>

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
// Adds COUNT steps of TICKS, which are nanoseconds, as the runtime does.
void add(HistorySteps &To, uint64_t Count, uint64_t Ticks, uint8_t Lowest) {
  To.Steps += Count;
  To.Buckets[history::pairOf(bucketOf(Ticks), Lowest)] += Count;
  To.LongestNs = std::max(To.LongestNs, bucketTicks(bucketOf(Ticks)));
}

LoopCurve loopFrom(uint8_t Lowest) {
  LoopCurve Result;
  Result.EdgesNs = historyEdges(Lowest, 1);
  return Result;
}

// Wherever in its pair of buckets a duration is, and whether the bin has longer
// steps or not.
TEST(HistoryCurves, QuantilesAreWithin12Percent) {
  constexpr double Most = 0.12;
  for (unsigned Pair = 4; Pair < 100; ++Pair)
    for (double Part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      double Low = lowestTicks(2 * Pair);
      double High = lowestTicks(2 * Pair + 2) - 1;
      auto Ticks = static_cast<uint64_t>(Low + Part * (High - Low));
      auto Ns = static_cast<double>(Ticks);
      auto Lowest = static_cast<uint8_t>(Pair - std::min(Pair, 6U));
      LoopCurve L = loopFrom(Lowest);
      HistorySteps Equal;
      add(Equal, 96, Ticks, Lowest);
      HistorySteps Mixed = Equal;
      add(Mixed, 4, 3 * Ticks, Lowest);
      for (double Fraction : {0.01, 0.5, 0.95}) {
        EXPECT_NEAR(L.quantileNs(Equal, Fraction).value(), Ns, Most * Ns);
        EXPECT_NEAR(L.quantileNs(Mixed, Fraction).value(), Ns, Most * Ns);
      }
    }
}

// Where the longest step is asked for, its own duration is the answer.
TEST(HistoryCurves, TheHighestQuantileIsTheLongestStep) {
  LoopCurve L = loopFrom(0);
  for (unsigned Count : {1U, 10U, 19U, 20U, 21U}) {
    HistorySteps Of;
    add(Of, Count, 1000, 0);
    Of.LongestNs = 1200;
    bool IsLongest = 0.95 * Count > Count - 1;
    EXPECT_EQ(L.quantileNs(Of, 0.95) == 1200, IsLongest) << Count;
    EXPECT_EQ(L.quantileNs(Of, 1), 1200) << Count;
  }
}

// Where a pair is wider than that, and where not all durations are known, there
// is none.
TEST(HistoryCurves, QuantilesThatArentKnown) {
  LoopCurve L = loopFrom(0);
  for (uint64_t Ticks = 0; Ticks < 8; ++Ticks) {
    HistorySteps Short;
    add(Short, 10, Ticks, 0);
    EXPECT_FALSE(L.quantileNs(Short, 0.5));
  }
  HistorySteps None;
  EXPECT_FALSE(L.quantileNs(None, 0.5));
  HistorySteps Some;
  add(Some, 10, 1000, 0);
  ++Some.Steps;
  EXPECT_FALSE(L.quantileNs(Some, 0.5));
  HistorySteps Long;
  add(Long, 10, uint64_t{1} << 40, 0);
  EXPECT_FALSE(L.quantileNs(Long, 0.5));
}
} // namespace
