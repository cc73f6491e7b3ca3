// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node's measures cost at most one part in 200 of its time, and a node at the
// limit doesn't switch back and forth.

#include "cpu/budget.h"

#include <gtest/gtest.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Cost = 1000;

// How many of SPANS spans of DURATION, each measured twice, are measured before
// the node rests.
unsigned measuredOf(unsigned Spans, uint64_t Duration) {
  Budget B;
  for (unsigned I = 0; I < Spans; ++I)
    if (!B.spend(Duration, 2, Cost))
      return I + 1;
  return Spans;
}

TEST(CpuBudget, LongSpansStayMeasured) {
  EXPECT_EQ(measuredOf(100000, 2 * 200 * Cost), 100000U);
  EXPECT_EQ(measuredOf(100000, 1000000000), 100000U);
}

TEST(CpuBudget, ShortSpansAreMeasuredOnce) {
  EXPECT_EQ(measuredOf(100000, 0), 1U);
  EXPECT_EQ(measuredOf(100000, 50 * Cost), 1U);
}

TEST(CpuBudget, SpansBelowTheBoundRestAfterAFew) {
  // Each one is a tenth of its two measures short; the overdraft is 1.5
  // measures.
  EXPECT_EQ(measuredOf(100000, 2 * 200 * Cost * 9 / 10), 8U);
}

TEST(CpuBudget, LongSpansPayForOnlyAFewShortOnes) {
  Budget B;
  for (int I = 0; I < 1000; ++I)
    EXPECT_TRUE(B.spend(1000000000, 2, Cost));
  // 16 measures are saved up, and 1.5 may be overdrawn.
  int Short = 1;
  while (B.spend(0, 2, Cost))
    ++Short;
  EXPECT_EQ(Short, 9);
}

TEST(CpuBudget, StartsOnlyAboveTheBound) {
  Budget B;
  EXPECT_FALSE(B.begin(2 * 200 * Cost, 2, Cost));
  EXPECT_FALSE(B.begin(2 * 250 * Cost - 1, 2, Cost));
  EXPECT_TRUE(B.begin(2 * 250 * Cost, 2, Cost));
  EXPECT_TRUE(B.begin(250 * Cost, 1, Cost));
}

TEST(CpuBudget, StayingOnIsCheaperThanComingBack) {
  // Spans too short to start measuring, but long enough to continue.
  uint64_t Between = 2 * 225 * Cost;
  Budget B;
  EXPECT_FALSE(B.begin(Between, 2, Cost));
  EXPECT_EQ(measuredOf(1000, Between), 1000U);
}

TEST(CpuPrice, FollowsTheDurationOfMeasures) {
  Price P(1000);
  for (int I = 0; I < 200; ++I)
    P.paid(500);
  EXPECT_GE(P.ticks(), 490U);
  EXPECT_LE(P.ticks(), 530U);
  for (int I = 0; I < 200; ++I)
    P.paid(4000);
  EXPECT_GE(P.ticks(), 3900U);
  EXPECT_LE(P.ticks(), 4200U);
}

TEST(CpuPrice, IgnoresInterruptions) {
  Price P(1000);
  for (int I = 0; I < 4000; ++I)
    P.paid(I % 8 == 0 ? 10000000 : 1000); // one in eight lost its processor
  EXPECT_LE(P.ticks(), 1100U);
}

TEST(CpuPrice, InterruptedMeasuresCostTheUsualPrice) {
  Price P(1000);
  EXPECT_EQ(P.costOf(0), 0U);
  EXPECT_EQ(P.costOf(400), 400U);
  EXPECT_EQ(P.costOf(7999), 7999U); // a page fault or a cold cache
  EXPECT_EQ(P.costOf(8000), 1000U);
  EXPECT_EQ(P.costOf(40000000), 1000U);
}

TEST(CpuPrice, IsAboveMostMeasures) {
  Price P(1000);
  for (int I = 0; I < 4000; ++I)
    P.paid(1000 + I * 617 % 1000);
  EXPECT_GE(P.ticks(), 1600U);
  EXPECT_LE(P.ticks(), 1900U);
}

TEST(CpuPrice, IsNeverZero) {
  Price P(10);
  for (int I = 0; I < 100; ++I)
    P.paid(0);
  EXPECT_GT(P.ticks(), 0U);
}
} // namespace
