// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names shortened in the middle.

#include "Report/Print/Elide.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(Elide, ShortNamesStay) {
  Legend Used;
  EXPECT_EQ(elide("forward", 7, Used), "forward");
  EXPECT_TRUE(Used.empty());
}

TEST(Elide, TheMiddleIsCutAndTheLegendListsIt) {
  Legend Used;
  EXPECT_EQ(elide("abcdefghijkl", 7, Used), "abc…jkl");
  ASSERT_EQ(Used.size(), 1u);
  EXPECT_EQ(Used[0].first, "abc…jkl");
  EXPECT_EQ(Used[0].second, "abcdefghijkl");
}

TEST(Elide, IndentationStays) {
  Legend Used;
  EXPECT_EQ(elide("    abcdefghijkl", 11, Used), "    abc…jkl");
  EXPECT_EQ(Used[0].second, "abcdefghijkl");
}

TEST(Elide, CodePointsAreNeverSplit) {
  Legend Used;
  EXPECT_EQ(elide("ääääääääää", 5, Used), "ää…ää");
}

TEST(Elide, CutNamesCanBeCutFurther) {
  Legend Used;
  std::string Once = elide("abcdefghijklmnop", 9, Used);
  EXPECT_EQ(elide(Once, 5, Used), "ab…op");
  ASSERT_EQ(Used.size(), 1u);
  EXPECT_EQ(Used[0].second, "abcdefghijklmnop");
}
