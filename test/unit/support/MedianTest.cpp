// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians are those of the sorted numbers.

#include "Support/Median.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace loopscope;

TEST(Median, OfTwoInTheMiddleEachHasItsFunction) {
  EXPECT_EQ(lowerMedian<int>({4, 1, 3, 2}), 2);
  EXPECT_EQ(upperMedian<int>({4, 1, 3, 2}), 3);
  EXPECT_EQ(lowerMedian<double>({5, 9, 7}), 7);
  EXPECT_EQ(upperMedian<double>({5, 9, 7}), 7);
  EXPECT_EQ(lowerMedian<int>({6}), 6);
  EXPECT_EQ(upperMedian<int>({6}), 6);
}

TEST(Median, OfSortedNumbers) {
  for (unsigned Count = 1; Count <= 200; ++Count) {
    std::mt19937 Random(Count);
    std::vector<int> Numbers(Count);
    for (int &Each : Numbers)
      Each = static_cast<int>(Random() % 50);
    std::vector<int> Sorted = Numbers;
    std::sort(Sorted.begin(), Sorted.end());
    EXPECT_EQ(upperMedian(Numbers), Sorted[Count / 2]);
    EXPECT_EQ(lowerMedian(Numbers), Sorted[(Count + 1) / 2 - 1]);
  }
}
