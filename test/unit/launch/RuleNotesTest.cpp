// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes of rules in programs.

#include "Launch/RuleNotes.h"

#include <gtest/gtest.h>

using namespace loopscope::launch;

namespace {
std::string codeOf(std::string_view Json) {
  std::string Hex;
  for (unsigned char C : Json)
    for (unsigned char Digit : {C / 16, C % 16})
      Hex += "0123456789abcdef"[Digit];
  return "loopscope-rules:" + Hex;
}

RuleOutcome outcome(std::string Where, std::set<std::string> Places,
                    RuleHint Hint = {}) {
  return {std::move(Where), "function 'f'", true, std::move(Places), Hint};
}

TEST(RuleNotes, AreSummedOverObjects) {
  std::string File =
      ruleNote({outcome("/a/s.yaml:1:1", {}, {"far \"away\"", 9}),
                outcome("/a/s.yaml:2:1", {"/a/x.cpp:3"})}) +
      '\0' + "code" +
      ruleNote({outcome("/a/s.yaml:1:1", {}, {"near", 1}),
                outcome("/a/s.yaml:2:1", {"/b/y.cpp:4"})});
  std::vector<RuleOutcome> Rules = readRuleNotes(File, "/c/s.yaml");
  ASSERT_EQ(Rules.size(), 2U);
  EXPECT_EQ(Rules[0].Where, "/c/s.yaml:1:1");
  EXPECT_TRUE(Rules[0].Places.empty());
  EXPECT_EQ(Rules[0].Hint.Text, "near");
  EXPECT_EQ(Rules[1].Places, (std::set<std::string>{"x.cpp:3", "y.cpp:4"}));
  EXPECT_TRUE(readRuleNotes(File, "/c/other.yaml").empty());
  EXPECT_EQ(ruleNote({}), "");
}

TEST(RuleNotes, DamagedOnesAreNoRules) {
  EXPECT_TRUE(readRuleNotes("loopscope-rules:", "/s.yaml").empty());
  EXPECT_TRUE(readRuleNotes("loopscope-rules:5", "/s.yaml").empty());
  EXPECT_TRUE(readRuleNotes(codeOf("[1, \"s.yaml:\"]"), "/s.yaml").empty());
  EXPECT_TRUE(readRuleNotes(codeOf("{"), "/s.yaml").empty());
  std::vector<RuleOutcome> Rules = readRuleNotes(
      codeOf(R"([{"where": "s.yaml:1:1", "what": 3, "one": "yes",)"
             R"("places": {"a": 1}, "hint": [], "distance": -1}])"),
      "/s.yaml");
  ASSERT_EQ(Rules.size(), 1U);
  EXPECT_EQ(Rules[0].What, "");
  EXPECT_FALSE(Rules[0].One);
}
} // namespace
