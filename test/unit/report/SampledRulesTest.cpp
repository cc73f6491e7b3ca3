// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for a sampled loop.

#include "Report/Commands/SampledRules.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
LoopPart call(const std::string &Function, uint32_t Line, double Percent) {
  LoopPart Result;
  Result.Function = Function;
  Result.Line = Line;
  Result.OfLoop.Percent = Percent;
  Result.Source = {Function, true, false, false};
  return Result;
}

LoopCandidate loop(std::vector<LoopPart> Parts) {
  LoopCandidate Result;
  Result.Function = "train";
  Result.File = "train.c";
  Result.First = 7;
  Result.Number = 2;
  Result.OfRun.Percent = 98.76;
  Result.Parts = std::move(Parts);
  return Result;
}

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST(SampledRules, LoopFirst) {
  std::string Text = sampledRules(loop({}));
  EXPECT_EQ(Text, "  # train.c:7: 98.8% of all samples\n"
                  "  - { kind: train, in: \"train\", loop: 2 }\n");
}

TEST(SampledRules, ALoopByItsVariableIfItsNumberIsNotKnown) {
  LoopCandidate Of = loop({});
  Of.Number = 0;
  Of.Variable = "row";
  Of.Outer = {{3, 0}};
  EXPECT_EQ(sampledRules(Of), "  # train.c:7: 98.8% of all samples\n"
                              "  - { kind: train, in: \"train\", loop: row }\n"
                              "  # around it: the loop at line 3\n");
}

TEST(SampledRules, AFunctionWithOverloads) {
  LoopCandidate Of = loop({call("step", 8, 99)});
  Of.HasOverloads = true;
  std::string Text = sampledRules(Of);
  EXPECT_TRUE(has(Text, "loop: 2, all: true }"));
  EXPECT_TRUE(has(Text, "call: \"step\", all: true }"));
}

TEST(SampledRules, AnotherLoopForOneThatNoRuleSelects) {
  LoopCandidate Of = loop({call("step", 8, 99)});
  Of.HasPragma = true;
  LoopCandidate Around = loop({});
  Around.Function = "main"; // others may have one, too
  Around.First = 3;
  EXPECT_EQ(sampledRules(Of, &Around),
            "  # train.c:7: 98.8% of all samples\n"
            "  # no rule can select this loop: no hook fits between a pragma "
            "and the loop after it\n"
            "  # instead, train.c:3: 98.8% of all samples\n"
            "  - { kind: train, in: \"main\", file: \"*/train.c\", loop: 2 }\n"
            "  # line 8: 99.0% of the loop's samples, 0.0 to 0.0%\n"
            "  - { kind: phase, name: \"step\", in: \"train\", call: \"step\" "
            "}\n");
  Of.HasPragma = false;
  Of.Number = 0;
  EXPECT_TRUE(
      has(sampledRules(Of, nullptr),
          "# no rule can select this loop: macros before it make loops, "
          "and no variable is its own\n"));
  EXPECT_FALSE(has(sampledRules(Of, nullptr), "kind: train"));
}

TEST(SampledRules, CallsFromHalfAPercentOn) {
  std::string Text = sampledRules(loop(
      {call("forward", 8, 99), call("some", 9, 0.5), call("few", 10, 0.49)}));
  EXPECT_TRUE(has(Text, "# line 8: 99.0% of the loop's samples"));
  EXPECT_TRUE(has(Text,
                  "- { kind: phase, name: \"forward\", in: \"train\", call: "
                  "\"forward\" }\n"));
  EXPECT_TRUE(has(Text, "\"some\""));
  EXPECT_FALSE(has(Text, "few"));
}

TEST(SampledRules, SystemsFunctionsFromTenPercentOn) {
  LoopPart Much = call("fread", 8, 10), Little = call("expf", 9, 9.9);
  Much.IsSystem = Little.IsSystem = true;
  std::string Text = sampledRules(loop({Much, Little}));
  EXPECT_TRUE(has(Text, "call: \"fread\""));
  EXPECT_FALSE(has(Text, "expf"));
}

TEST(SampledRules, SmallFunctionsFromTenPercentOn) {
  LoopPart Much = call("dot", 8, 10), Little = call("weight", 9, 9.9);
  Much.IsSmall = Little.IsSmall = true;
  std::string Text = sampledRules(loop({Much, Little}));
  EXPECT_TRUE(has(Text, "call: \"dot\""));
  EXPECT_FALSE(has(Text, "weight"));
}

TEST(SampledRules, WhatOnlyGivesAValueFromTenPercentOn) {
  std::string Text = sampledRules(
      loop({call("Matrix::operator[]", 8, 9.9), call("get_size", 9, 5),
            call("get_batch", 10, 5), call("Matrix::operator*", 11, 30),
            call("Row::Row", 12, 4.9), call("Batch::Batch", 13, 5)}));
  EXPECT_FALSE(has(Text, "Row::Row"));
  EXPECT_TRUE(has(Text, "Batch::Batch"));
  EXPECT_FALSE(has(Text, "operator[]"));
  EXPECT_FALSE(has(Text, "get_size"));
  EXPECT_TRUE(has(Text, "get_batch"));
  EXPECT_TRUE(has(Text, "operator*"));
}

TEST(SampledRules, OneRuleForCallsOnSeveralLines) {
  std::string Text =
      sampledRules(loop({call("forward", 8, 60), call("forward", 9, 40)}));
  EXPECT_TRUE(has(Text, "call: \"forward\", all: true }"));
  EXPECT_EQ(Text.find("kind: phase"), Text.rfind("kind: phase"));
}

TEST(SampledRules, OwnCodeHasNone) {
  EXPECT_FALSE(has(sampledRules(loop({call("", 0, 50)})), "phase"));
}

TEST(SampledRules, CallsThatNoStatementNamesAreSelectedByTheirDefinition) {
  LoopPart Virtual = call("Net::forward", 8, 50);
  Virtual.IsVirtual = true;
  LoopPart Constructor = call("Tensor::Tensor", 9, 20);
  LoopPart Object = call("Sampler::operator()", 9, 20);
  LoopPart Head = call("next", 7, 10);
  Head.Source.IsInHead = true;
  for (LoopPart Each : {Virtual, Constructor, Object, Head}) {
    std::string Text = sampledRules(loop({Each}));
    EXPECT_TRUE(has(Text, "# no rule can select " + Each.Function + ":"));
    EXPECT_FALSE(has(Text, "kind: phase"));
    Each.HasDefinition = true;
    Text = sampledRules(loop({Each}));
    EXPECT_TRUE(has(Text, "- { kind: phase, name: \"" + Each.Function +
                              "\", function: \"" + Each.Function + "\" }"));
  }
}
} // namespace
