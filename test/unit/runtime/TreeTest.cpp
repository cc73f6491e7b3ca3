// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans on the call-path tree.

#include "Fixture.h"

#include "profile/node_links.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
class TreeTest : public RuntimeTest {
protected:
  static void span(const char *Name, uint64_t Ticks) {
    loopscope_token T = loopscope_enter(site(Name));
    advance(Ticks);
    loopscope_leave(T);
  }
};

TEST_F(TreeTest, AddsUpSpansOfOnePath) {
  for (uint64_t Ticks : {5, 3, 9})
    span("a", Ticks);
  Node &A = node("a");
  EXPECT_EQ(A.count, 3U);
  EXPECT_EQ(A.sum_ticks, 17U);
  EXPECT_EQ(A.square_low, 25U + 9 + 81);
  EXPECT_EQ(A.min_ticks, 3U);
  EXPECT_EQ(A.max_ticks, 9U);
  EXPECT_EQ(A.open, 0U);
}

TEST_F(TreeTest, BucketsADurationAtTheNextEnd) {
  span("a", 5);
  loopscope_histogram &Histogram = *links(&node("a")).Histogram;
  EXPECT_EQ(Histogram.bucket[5], 0U);
  EXPECT_EQ(node("a").last_ticks, 5U);
  span("a", 100);
  EXPECT_EQ(Histogram.bucket[5], 1U);
  EXPECT_EQ(Histogram.bucket[0], 0U);
}

TEST_F(TreeTest, NestsByCallPath) {
  loopscope_token A = loopscope_enter(site("a"));
  span("b", 2);
  loopscope_leave(A);
  span("b", 4);
  EXPECT_EQ(node("a").sum_ticks, 2U);
  EXPECT_EQ(node("a/b").sum_ticks, 2U);
  EXPECT_EQ(node("b").sum_ticks, 4U);
}

TEST_F(TreeTest, AdjacentSpanStartsAtTheLastReading) {
  span("a", 5);
  advance(7);
  loopscope_token B = loopscope_enter_adjacent(site("b"));
  advance(1);
  loopscope_leave(B);
  EXPECT_EQ(node("b").sum_ticks, 8U);
}

TEST_F(TreeTest, RecursionUnfoldsToTheDepthLimitAndFoldsBeyond) {
  std::vector<loopscope_token> Open;
  for (int I = 0; I < 300; ++I) {
    Open.push_back(loopscope_enter(site("r")));
    advance(1);
  }
  for (; !Open.empty(); Open.pop_back())
    loopscope_leave(Open.back());
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_DEPTH_FOLDED), 300U - MaxDepth);
  EXPECT_EQ(nodes().size(), MaxDepth);
  EXPECT_EQ(node("r").sum_ticks, 300U);
}

TEST_F(TreeTest, LeavingAnOuterSpanClosesTheInnerOnes) {
  loopscope_token A = loopscope_enter(site("a"));
  loopscope_enter(site("b"));
  loopscope_enter(site("c"));
  advance(3);
  loopscope_leave(A);
  EXPECT_EQ(node("a/b/c").count, 1U);
  EXPECT_EQ(node("a/b").sum_ticks, 3U);
  EXPECT_EQ(node("a").open, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_POPPED), 2U);
  EXPECT_EQ(node("a").popped, 0U);
  EXPECT_EQ(node("a/b").popped, 1U);
  EXPECT_EQ(node("a/b/c").popped, 1U);
}

TEST_F(TreeTest, ALateEndOfASpanMarksItsNode) {
  loopscope_token A = loopscope_enter(site("a"));
  loopscope_token B = loopscope_enter(site("b"));
  loopscope_leave(A);
  EXPECT_EQ(node("a/b").flags, 0U);
  loopscope_leave(B);
  loopscope_leave(A);
  EXPECT_EQ(node("a/b").flags, LOOPSCOPE_NODE_LATE_END);
  EXPECT_EQ(node("a").flags, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_LATE_END), 1U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STRAY_END), 1U);
  EXPECT_EQ(node("a/b").count, 1U);
}

TEST_F(TreeTest, AnEndMayNameAnything) {
  loopscope_leave(loopscope_enter(site("a")));
  alignas(256) static char Other[256] = {};
  loopscope_leave(Other);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STRAY_END), 1U);
}

TEST_F(TreeTest, AnEndWithoutAnOpenSpanIsCountedAndIgnored) {
  loopscope_token A = loopscope_enter(site("a"));
  loopscope_leave(A);
  loopscope_leave(A);
  loopscope_leave(nullptr);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STRAY_END), 1U);
  EXPECT_EQ(node("a").count, 1U);
}

TEST_F(TreeTest, AClockThatRunsBackwardsGivesZero) {
  loopscope_token A = loopscope_enter(site("a"));
  FakeTicks -= 10;
  loopscope_leave(A);
  EXPECT_EQ(node("a").count, 1U);
  EXPECT_EQ(node("a").sum_ticks, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_CLOCK_CLAMPED), 1U);
}

TEST_F(TreeTest, DescriptorsOfOnePlaceShareANode) {
  loopscope_site First = *site("t");
  loopscope_site Second = *site("t");
  for (int I = 0; I < 3; ++I)
    for (const loopscope_site *Each : {&First, &Second})
      loopscope_leave(loopscope_enter(Each));
  EXPECT_EQ(nodes().size(), 1U);
  EXPECT_EQ(node("t").count, 6U);
}

TEST_F(TreeTest, ADescriptorOfAnotherAbiIsNotRecorded) {
  loopscope_site Foreign = *site("x");
  Foreign.__abi = LOOPSCOPE_SITE_ABI + 1;
  EXPECT_EQ(loopscope_enter(&Foreign), nullptr);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_NODES_LOST), 1U);
}

namespace {
struct Entered {
  uint64_t Recorded = 0;
  uint64_t Lost = 0;
};

// Enters both sites at each of DEPTH levels.
void enterAll(const loopscope_site *A, const loopscope_site *B, int Depth,
              Entered &To) {
  for (const loopscope_site *Each : {A, B}) {
    loopscope_token Token = loopscope_enter(Each);
    ++(Token ? To.Recorded : To.Lost);
    if (Depth > 1)
      enterAll(A, B, Depth - 1, To);
    if (Token)
      loopscope_leave(Token);
  }
}
} // namespace

// Spans without room are counted each time, and those with room continue to be
// recorded.
TEST_F(TreeTest, MoreCallPathsThanFit) {
  constexpr int Depth = 16; // 131,070 call paths
  Entered Of;
  enterAll(site("a"), site("b"), Depth, Of);
  EXPECT_GT(Of.Lost, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_NODES_LOST), Of.Lost);
  constexpr uint64_t Again = 5000;
  for (uint64_t I = 0; I < Again; ++I)
    EXPECT_EQ(loopscope_enter(site("c")), nullptr);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_NODES_LOST), Of.Lost + Again);
  loopscope_token Known = loopscope_enter(site("a"));
  EXPECT_NE(Known, nullptr);
  loopscope_leave(Known);
}

TEST_F(TreeTest, TenYearsOfLongSpansDoNotOverflow) {
  constexpr uint64_t Day = 86400ULL * 3000000000; // at 3 GHz
  for (int I = 0; I < 3650; ++I)
    span("a", Day);
  Node &A = node("a");
  EXPECT_EQ(A.sum_ticks, 3650 * Day);
  __extension__ using Wide = unsigned __int128;
  Wide Squares = static_cast<Wide>(A.square_high) << 64 | A.square_low;
  EXPECT_TRUE(Squares == static_cast<Wide>(Day) * Day * 3650);
}

TEST_F(TreeTest, OffRecordsNothing) {
  __loopscope_active = 0;
  EXPECT_EQ(loopscope_enter(site("a")), nullptr);
  EXPECT_TRUE(nodes().empty());
}
} // namespace
