// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval sets, compared with their definition point by point.

#include "Run/Model/Intervals.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

using namespace loopscope;

namespace {
bool covers(const std::vector<Interval> &Set, int64_t Point) {
  for (const Interval &Each : Set)
    if (Each.Start <= Point && Point < Each.End)
      return true;
  return false;
}

std::vector<Interval> someIntervals(std::mt19937 &Random) {
  std::vector<Interval> Out(Random() % 12);
  for (Interval &Each : Out) {
    Each.Start = static_cast<int64_t>(Random() % 50);
    Each.End = Each.Start + static_cast<int64_t>(Random() % 10);
  }
  return Out;
}
} // namespace

TEST(Intervals, UniteJoinsTouchingIntervalsAndDropsEmptyOnes) {
  IntervalSet Set = unite({{5, 7}, {1, 3}, {3, 4}, {6, 9}, {20, 20}});
  ASSERT_EQ(Set.size(), 2U);
  EXPECT_EQ(Set[0].Start, 1);
  EXPECT_EQ(Set[0].End, 4);
  EXPECT_EQ(Set[1].Start, 5);
  EXPECT_EQ(Set[1].End, 9);
  EXPECT_EQ(lengthOf(Set), 7);
}

TEST(Intervals, OperationsAgreeWithTheirDefinition) {
  std::mt19937 Random(1);
  for (int Round = 0; Round < 500; ++Round) {
    std::vector<Interval> A = someIntervals(Random);
    std::vector<Interval> B = someIntervals(Random);
    IntervalSet Left = unite(A);
    IntervalSet Right = unite(B);
    IntervalSet Both = intersect(Left, Right);
    IntervalSet Rest = subtract(Left, Right);
    for (int64_t Point = -1; Point < 65; ++Point) {
      EXPECT_EQ(covers(Left, Point), covers(A, Point));
      EXPECT_EQ(covers(Both, Point), covers(A, Point) && covers(B, Point));
      EXPECT_EQ(covers(Rest, Point), covers(A, Point) && !covers(B, Point));
    }
    EXPECT_EQ(lengthOf(Both) + lengthOf(Rest), lengthOf(Left));
  }
}

TEST(Intervals, LengthWithinTakesRangesInOrder) {
  IntervalSet Set = {{0, 10}, {20, 30}};
  size_t Hint = 0;
  EXPECT_EQ(lengthWithin(Set, {5, 22}, Hint), 7);
  EXPECT_EQ(lengthWithin(Set, {22, 25}, Hint), 3);
  EXPECT_EQ(lengthWithin(Set, {40, 50}, Hint), 0);
}
