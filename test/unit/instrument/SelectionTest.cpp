// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The selection file as values, and its errors.

#include "Instrument/Select/Selection.h"

#include <gtest/gtest.h>

using namespace loopscope::instrument;

namespace {

Pattern pattern(const char *Text) {
  loopscope::Result<Pattern> P = Pattern::create(Text);
  EXPECT_TRUE(static_cast<bool>(P)) << Text;
  return P ? std::move(*P) : Pattern();
}

/// The diagnostics of TEXT, which must be invalid.
std::string refused(const char *Text) {
  Selection Result;
  std::string Said;
  llvm::raw_string_ostream Err(Said);
  EXPECT_FALSE(parseSelection(Text, "s.yaml", Result, Err)) << Text;
  return Said;
}

TEST(Pattern, AGlobMatchesTheWholeName) {
  EXPECT_TRUE(pattern("Net::*").matches("Net::forward"));
  EXPECT_FALSE(pattern("Net::*").matches("my::Net::forward"));
  EXPECT_TRUE(pattern("step?").matches("step1"));
  EXPECT_FALSE(pattern("step?").matches("step12"));
  EXPECT_TRUE(pattern("").matches("anything"));
}

TEST(Pattern, BracketsInAGlobAreLiteral) {
  EXPECT_TRUE(pattern("*::operator[]").matches("Net::operator[]"));
  EXPECT_FALSE(pattern("*::operator[]").matches("Net::operator("));
}

TEST(Pattern, AnExpressionMatchesTheWholeName) {
  EXPECT_TRUE(pattern("/Net::(forward|backward)/").matches("Net::forward"));
  EXPECT_FALSE(pattern("/Net::forward/").matches("Net::forwards"));
  // So do alternatives.
  EXPECT_TRUE(pattern("/forward|backward/").matches("backward"));
  EXPECT_FALSE(pattern("/forward|backward/").matches("forwards"));
  EXPECT_FALSE(pattern("/forward|backward/").matches("my_backward"));
}

TEST(Pattern, OnlyAPatternWithoutWildcardsIsPlain) {
  EXPECT_TRUE(pattern("main").isPlain());
  EXPECT_FALSE(pattern("ma?n").isPlain());
  EXPECT_FALSE(pattern("/main/").isPlain());
  EXPECT_FALSE(pattern("").isPlain());
}

TEST(Selection, ReadsRulesAndFilters) {
  Selection S;
  std::string Said;
  llvm::raw_string_ostream Err(Said);
  ASSERT_TRUE(parseSelection("rules:\n"
                             "  - kind: train\n"
                             "    samples: batch.size()\n"
                             "    in: main\n"
                             "    loop: batch\n"
                             "functions: { exclude: [\"*::operator*\"], "
                             "min-size: 6 }\n"
                             "files: { exclude: [\"*/third_party/*\"] }\n",
                             "s.yaml", S, Err))
      << Said;
  ASSERT_EQ(S.Rules.size(), 1U);
  EXPECT_EQ(S.Rules[0].K, Kind::Train);
  EXPECT_EQ(S.Rules[0].Amounts[Quantity::Samples], "batch.size()");
  EXPECT_EQ(S.Rules[0].Loop, "batch");
  EXPECT_EQ(S.Rules[0].In.text(), "main");
  EXPECT_EQ(S.Rules[0].Line, 2U);
  EXPECT_EQ(S.MinSize, 6U);
  EXPECT_TRUE(S.takesFunction("Net::forward"));
  EXPECT_FALSE(S.takesFunction("Net::operator()"));
  EXPECT_FALSE(S.takesFile("/src/third_party/a.cpp"));
  EXPECT_TRUE(S.takesFile("/src/a.cpp"));
}

TEST(Selection, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(refused("rules:\n  - { kind: trian, loop: i, in: main }\n")
                .find("s.yaml:2:7: error: unknown kind 'trian'; did you mean "
                      "'train'? [select-kind]"),
            std::string::npos);
  EXPECT_NE(refused("rules:\n  - { kind: phase, name: a }\n")
                .find("a rule has one target: 'function', 'loop' or 'call'"),
            std::string::npos);
  EXPECT_NE(refused("rules:\n  - { kind: phase, function: f }\n")
                .find("a phase needs a 'name'"),
            std::string::npos);
  EXPECT_NE(refused("rules:\n  - { kind: phase, name: a, function: /(/ }\n")
                .find("'/(/' is not a pattern: "),
            std::string::npos);
}

} // namespace
