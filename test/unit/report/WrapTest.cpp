// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrapping lines to a width: examples, and properties that hold for any text.

#include "Report/Print/Wrap.h"

#include "Report/Print/Elide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace loopscope;

namespace {
std::vector<std::string> wordsOf(const std::string &Text) {
  std::istringstream Stream(Text);
  std::vector<std::string> Words;
  for (std::string Word; Stream >> Word;)
    Words.push_back(Word);
  return Words;
}

TEST(Wrap, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(wrapWords("one two three four", 9), "one two\n  three\n  four");
  EXPECT_EQ(wrapWords("    600 calls in 20 s", 13), "    600 calls\n"
                                                    "      in 20 s");
}

TEST(Wrap, LeavesFittingTextUnchanged) {
  EXPECT_EQ(wrapWords("two  blanks", 11), "two  blanks");
  EXPECT_EQ(wrapWords("no limit at all", 0), "no limit at all");
  EXPECT_EQ(wrapWords("", 5), "");
  EXPECT_EQ(wrapWords("      ", 3), "      ");
}

TEST(Wrap, CountsCodePoints) {
  EXPECT_EQ(wrapWords("µµµ µµµ", 7), "µµµ µµµ");
  EXPECT_EQ(wrapWords("µµµ µµµ", 6), "µµµ\n  µµµ");
}

TEST(Wrap, KeepsAllWordsAndTheWidthForAnyText) {
  std::mt19937 Random(18);
  auto Upto = [&](unsigned Most) { return Random() % (Most + 1); };
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Text(Upto(4), ' ');
    for (unsigned I = Upto(30); I > 0; --I)
      Text += std::string(1 + Upto(14), 'x') + std::string(1 + Upto(2), ' ');
    size_t Width = 1 + Upto(40);
    std::string Wrapped = wrapWords(Text, Width);
    ASSERT_EQ(wordsOf(Wrapped), wordsOf(Text));
    std::istringstream Lines(Wrapped);
    for (std::string Line; std::getline(Lines, Line);)
      ASSERT_TRUE(displayWidth(Line) <= Width || wordsOf(Line).size() <= 1)
          << '"' << Line << "\" is wider than " << Width;
  }
}
} // namespace
