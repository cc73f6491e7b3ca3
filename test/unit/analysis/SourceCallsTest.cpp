// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in the text of sources.

#include "Analysis/Samples/SourceCalls.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

using namespace loopscope;

namespace {
// "1:forward 2:more!": lines and names; ! marks those in heads.
std::string callsOf(std::string_view Text) {
  std::string Result;
  for (const SourceCall &Each : sourceCalls(Text))
    Result += (Result.empty() ? "" : " ") + std::to_string(Each.Line) + ":" +
              Each.Name + (Each.IsInHead ? "!" : "");
  return Result;
}
} // namespace

TEST(SourceCalls, Statements) {
  EXPECT_EQ(callsOf("loss = forward(x);\n"
                    "net->backward(grad(loss));\n"
                    "(*o.step)(o);\n"),
            "1:forward 2:backward 2:grad");
}

TEST(SourceCalls, HeadsOfLoopsAndBranches) {
  EXPECT_EQ(callsOf("if (select(i, j) != 0)\n"
                    "  shrink();\n"
                    "else while (more())\n"
                    "  step(next());\n"
                    "do pull(); while (left());\n"
                    "for (begin(); less(i); ++i) body(i);\n"
                    "switch (kind()) { case 1: one(); }\n"
                    "if constexpr (is()) then();\n"),
            "1:select! 2:shrink 3:more! 4:step 4:next 5:pull 5:left! "
            "6:begin! 6:less! 6:body 7:kind! 7:one 8:is! 8:then");
}

TEST(SourceCalls, WhatIsReturned) {
  EXPECT_EQ(callsOf("return train(n);\n"
                    "rest();\n"),
            "1:train! 2:rest");
}

TEST(SourceCalls, TemplateArguments) {
  EXPECT_EQ(callsOf("train<Error, 3>(x);\n"
                    "if (a < b || c > d) e();\n"
                    "cast<map<int, int>>(y);\n"),
            "1:train 2:e 3:cast");
}

TEST(SourceCalls, NoCalls) {
  EXPECT_EQ(callsOf("#define F g(1)\n"
                    "// f();\n"
                    "const char *s = \"f()\"; /* f() */\n"
                    "n = sizeof(int) * 2;\n"),
            "");
}

// Damaged text is no reason to stop or to read past its end.
TEST(SourceCalls, AnyText) {
  std::mt19937 Random(1);
  constexpr std::string_view Pieces[] = {
      "(", ")", "{", "}", "<", ">", ";", "if", "f", "return", "constexpr"};
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Text;
    for (unsigned I = 0, End = Random() % 40; I < End; ++I)
      Text += std::string(Pieces[Random() % std::size(Pieces)]) + " ";
    EXPECT_LE(sourceCalls(Text).size(), 40U);
  }
}
