// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in the text of sources.

#include "Analysis/Samples/SourceLoops.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

using namespace loopscope;

namespace {
// "2-5 3-4": first and last lines.
std::string loopsOf(std::string_view Text) {
  std::string Result;
  for (const SourceLoop &Each : sourceLoops(Text))
    Result += (Result.empty() ? "" : " ") + std::to_string(Each.First) + "-" +
              std::to_string(Each.Last);
  return Result;
}
} // namespace

TEST(SourceLoops, NestedLoops) {
  EXPECT_EQ(loopsOf("void f(int n) {\n"
                    "  for (int e = 0; e < n; ++e) {\n"
                    "    while (more())\n"
                    "      step();\n"
                    "  }\n"
                    "}\n"),
            "2-5 3-4");
}

TEST(SourceLoops, WhatTheHeadSays) {
  std::vector<SourceLoop> All = sourceLoops("for (int e = 0; e < epochs; ++e)\n"
                                            "  for (const auto &batch : data)\n"
                                            "    while (more(x))\n"
                                            "      do step(); while (y);\n"
                                            "for (std::size_t i; ; )\n"
                                            "  ;\n");
  ASSERT_EQ(All.size(), 5U);
  using Words = std::vector<std::string>;
  EXPECT_EQ(All[0].Names, (Words{"e", "0", "e", "epochs", "e"}));
  EXPECT_EQ(All[0].Variable, "e");
  EXPECT_EQ(All[1].Variable, "batch");
  EXPECT_EQ(All[2].Names, (Words{"more", "x"}));
  EXPECT_EQ(All[2].Variable, "");
  EXPECT_EQ(All[3].Names, (Words{"y"}));
  EXPECT_EQ(All[4].Variable, "");
}

TEST(SourceLoops, WhatHasAMemberThatCountsIterations) {
  using Words = std::vector<std::string>;
  auto NamesOf = [](const std::string &Head) {
    return sourceLoops(Head + " step();\n").at(0).Names;
  };
  EXPECT_EQ(NamesOf("for (auto i = shared_data.set->iterations; i; --i)"),
            (Words{"i", "iterations", "i", "i"}));
  EXPECT_EQ(NamesOf("while (i < data->epochs)"), (Words{"i", "epochs"}));
  EXPECT_EQ(NamesOf("while (i < data->rows)"), (Words{"i", "data", "rows"}));
  EXPECT_EQ(NamesOf("while (i < data.)"), (Words{"i", "data"}));
  EXPECT_EQ(NamesOf("while (data - iters)"), (Words{"data", "iters"}));
}

TEST(SourceLoops, WhatEachPassCounts) {
  auto CounterOf = [](const std::string &Text) {
    return sourceLoops(Text).at(0).Counter;
  };
  EXPECT_EQ(CounterOf("while (n < samples) { log(iter++); n += f(); }"),
            "iter");
  EXPECT_EQ(CounterOf("for (;;) { ++epoch; }"), "epoch");
  EXPECT_EQ(CounterOf("do { if (x) y(); round += 1; } while (d > e);"),
            "round");
  // Not each pass, not this loop, or by another name.
  EXPECT_EQ(CounterOf("while (1) { if (read() == 0) { ++epoch; } }"), "");
  EXPECT_EQ(CounterOf("while (1) { for (i = 0; i < n; ++i) ++iter; }"), "");
  EXPECT_EQ(CounterOf("while (1) { f([&] { ++iter; }); ++i; iter += 2; }"), "");
  // The head says itself what it counts.
  EXPECT_EQ(CounterOf("for (int i = 0; i < n; ++i) { ++iter; }"), "");
  EXPECT_EQ(CounterOf("while (next(batch)) { ++iter; }"), "");
  EXPECT_EQ(CounterOf("do { ++iter; } while (next(batch));"), "");
}

TEST(SourceLoops, Conditionals) {
  using Depths = std::map<uint32_t, uint32_t>;
  EXPECT_EQ(sourceBlocks("#ifndef GUARD\n"
                         "void f() {\n"
                         "#if A // if\n"
                         "  for (;;);\n"
                         "#else\n"
                         "  for (;;);\n"
                         "#endif\n"
                         "  for (;;);\n"
                         "}\n"
                         "#endif\n")
                .Conditionals,
            (Depths{{2, 1}, {4, 2}, {8, 1}}));
}

TEST(SourceLoops, PragmasForStatements) {
  std::vector<SourceLoop> All = sourceLoops("#pragma omp parallel for \\\n"
                                            "  reduction(+ : x)\n"
                                            "for (;;) {\n"
                                            "#pragma once\n"
                                            "  for (;;) step();\n"
                                            "#pragma GCC ivdep\n"
                                            "  step();\n"
                                            "  for (;;) step();\n"
                                            "}\n");
  ASSERT_EQ(All.size(), 3U);
  EXPECT_TRUE(All[0].HasPragma);
  EXPECT_FALSE(All[1].HasPragma);
  EXPECT_FALSE(All[2].HasPragma);
}

// A directive that stands alone isn't the loop's.
TEST(SourceLoops, PragmasBesideStatements) {
  std::vector<SourceLoop> All = sourceLoops("#pragma omp barrier\n"
                                            "while (a)\n"
                                            "  ;\n"
                                            "#pragma omp taskwait\n"
                                            "#pragma omp for\n"
                                            "for (;;)\n"
                                            "  ;\n"
                                            "#pragma acc wait\n"
                                            "while (b)\n"
                                            "  ;\n"
                                            "#pragma nounroll\n"
                                            "while (c)\n"
                                            "  ;\n");
  ASSERT_EQ(All.size(), 4U);
  EXPECT_FALSE(All[0].HasPragma);
  EXPECT_TRUE(All[1].HasPragma);
  EXPECT_FALSE(All[2].HasPragma);
  EXPECT_TRUE(All[3].HasPragma);
}

TEST(SourceLoops, MacrosThatMayMakeLoops) {
  auto Macros = [](std::string_view Text) { return sourceBlocks(Text).Macros; };
  using Lines = std::vector<uint32_t>;
  EXPECT_EQ(Macros("void f() {\n"
                   "  FOR_EACH(x) {\n"
                   "    step(x);\n"
                   "  }\n"
                   "  each(a, (b))\n"
                   "    step();\n"
                   "}\n"),
            (Lines{2, 5}));
  EXPECT_EQ(Macros("void f() {\n"
                   "  step(x);\n"
                   "  TRAIN(\"n\") for (;;) step();\n"
                   "  if (x) { step(); }\n"
                   "  run([] { step(); });\n"
                   "  try { step(); } catch (...) { step(); }\n"
                   "}\n"),
            Lines{});
}

TEST(SourceLoops, AMacroBeforeALoop) {
  EXPECT_EQ(loopsOf("void f(int n) {\n"
                    "  TRAIN(\"n\")\n"
                    "  while (more())\n"
                    "    x += step();\n"
                    "  UNROLL for (int i = 0; i < n; ++i)\n"
                    "    step();\n"
                    "}\n"),
            "3-4 5-6");
}

TEST(SourceLoops, ABodyWithoutBraces) {
  EXPECT_EQ(loopsOf("int main() {\n"
                    "  for (auto &b : loader)\n"
                    "    if (b.ok)\n"
                    "      train(b);\n"
                    "    else\n"
                    "      skip(b);\n"
                    "  done();\n"
                    "}\n"),
            "2-6");
}

TEST(SourceLoops, DoWhileIsOneLoop) {
  EXPECT_EQ(loopsOf("void f() {\n"
                    "  do {\n"
                    "    step();\n"
                    "  } while (more());\n"
                    "  while (rest());\n"
                    "}\n"),
            "2-4 5-5");
}

TEST(SourceLoops, WhatOnlyLooksLikeOne) {
  EXPECT_EQ(loopsOf("// for (;;) {\n"
                    "/* while (1)\n"
                    "   {} */\n"
                    "#define LOOP for (;;) \\\n"
                    "  {\n"
                    "const char *s = \"for (;;) {\", c = '{';\n"
                    "const char *r = R\"x(while (1) { )\" )x\";\n"
                    "int forty = 1'000, awhile;\n"),
            "");
}

TEST(SourceLoops, LambdasMethodsAndNamespaces) {
  EXPECT_EQ(loopsOf("namespace a {\n"
                    "struct Net {\n"
                    "  int n = 0;\n"
                    "  void fit() const override {\n"
                    "    run([&](int k) {\n"
                    "      for (int i = 0; i < k; ++i)\n"
                    "        step({i, k});\n"
                    "    }, 3);\n"
                    "    for (;;) { if (x) break; }\n"
                    "  }\n"
                    "};\n"
                    "}\n"
                    "int main() { while (go()) { one(); } }\n"),
            "6-7 9-9 13-13");
}

// Any text ends, and loops end after they begin.
TEST(SourceLoops, AnyText) {
  const std::string Words[] = {"for", "while", "do",   "(",  ")", "{",     "}",
                               ";",   "if",    "else", "\"", "'", "/*",    "\n",
                               "//",  "R\"(",  "#",    "\\", "x", "switch"};
  std::mt19937 Dice(5);
  for (int Turn = 0; Turn < 2000; ++Turn) {
    std::string Text;
    for (unsigned I = 0; I < Dice() % 200; ++I)
      Text += Words[Dice() % std::size(Words)] + (Dice() % 2 == 0 ? " " : "");
    for (const SourceLoop &Each : sourceLoops(Text))
      EXPECT_LE(Each.First, Each.Last) << Text;
  }
}

TEST(SourceLoops, NestingHasALimit) {
  std::string Deep;
  for (int I = 0; I < 100000; ++I)
    Deep += "for(";
  EXPECT_LE(sourceLoops(Deep).size(), 1000U);
  EXPECT_EQ(sourceLoops(std::string(100000, '{')).size(), 0U);
}
