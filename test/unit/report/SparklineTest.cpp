// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures drawn as small columns.

#include "Report/Print/Sparkline.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(Sparkline, ScalesToTheLargest) {
  EXPECT_EQ(sparkline({0, 1, 2, 4, 8}, true), " ▁▂▄█");
  EXPECT_EQ(sparkline({0, 1, 2, 4, 8}, false), " _.-#");
}

TEST(Sparkline, HasAColumnForEachFigure) {
  EXPECT_EQ(sparkline({}, true), "");
  EXPECT_EQ(sparkline({3}, true), "█");
  EXPECT_EQ(sparkline({0, 0}, true), "  ");
}
