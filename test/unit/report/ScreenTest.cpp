// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts cut to the terminal's size.

#include "Report/Commands/Screen.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(Screen, FittingTextIsUnchanged) {
  EXPECT_EQ(fitToScreen("ab\ncd\n", {3, 2}), "ab\ncd\n");
  EXPECT_EQ(fitToScreen("ab\ncd\n", {0, 0}), "ab\ncd\n");
}

// The cursor is below the text, so one row fewer is available.
TEST(Screen, CountsRowsThatDontFit) {
  EXPECT_EQ(fitToScreen("a\nb\nc\n", {3, 80}),
            "a\n(2 more lines in a taller terminal)\n");
  EXPECT_EQ(fitToScreen("a\nb\nc\n", {1, 10}), "(3 more li\n");
}

TEST(Screen, LinesAreCutAtCodePoints) {
  EXPECT_EQ(fitToScreen("äöüß\nabcd\n", {9, 3}), "äöü\nabc\n");
}

// Colours take no space, and end with the line.
TEST(Screen, ColoursEndWithTheLine) {
  EXPECT_EQ(fitToScreen("\033[1;31mabc\033[0m\n", {9, 3}),
            "\033[1;31mabc\033[0m\n");
  EXPECT_EQ(fitToScreen("\033[1;31mabcd\033[0m\n", {9, 3}),
            "\033[1;31mabc\033[0m\n");
}

TEST(Screen, PartsGoToTheNextLine) {
  EXPECT_EQ(wrapParts("a b  cc  ddd", 0), "a b  cc  ddd");
  EXPECT_EQ(wrapParts("a b  cc  ddd", 12), "a b  cc  ddd");
  EXPECT_EQ(wrapParts("a b  cc  ddd", 11), "a b  cc\nddd");
  EXPECT_EQ(wrapParts("a b  cc  ddd", 2), "a b\ncc\nddd");
}
