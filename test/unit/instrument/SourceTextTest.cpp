// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file's tokens reveal before any parsing.

#include "Instrument/Text/SourceText.h"

#include <gtest/gtest.h>

using namespace loopscope::instrument;

namespace {

clang::LangOptions cxx() {
  clang::LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.CPlusPlus17 = true;
  Lang.CXXOperatorNames = Lang.LineComment = Lang.Bool = true;
  return Lang;
}

std::string check(llvm::StringRef Text, bool &HasComma) {
  std::vector<std::string> Names;
  return checkExpression(Text, cxx(), Names, HasComma);
}

std::string check(llvm::StringRef Text) {
  bool HasComma = false;
  return check(Text, HasComma);
}

TEST(SourceText, FindsAttributeListsAndMacros) {
  llvm::StringRef Text = "[[loopscope::phase(\"a\"), likely]] f();\n"
                         "LOOPSCOPE_PHASE(\"b\") g();\n"
                         "// [[loopscope::phase(\"c\")]]\n"
                         "const char *s = \"[[loopscope::fit]]\";\n";
  SourceText S = scanText(Text, cxx());
  ASSERT_EQ(S.Lists.size(), 1U);
  EXPECT_EQ(S.Lists[0].Text, (Range{0, 33}));
  ASSERT_EQ(S.Lists[0].Entries.size(), 2U);
  EXPECT_TRUE(S.Lists[0].Entries[0].Ours);
  EXPECT_TRUE(S.Lists[0].Entries[0].Known);
  EXPECT_FALSE(S.Lists[0].Entries[1].Ours);
  ASSERT_EQ(S.Macros.size(), 1U);
  EXPECT_EQ(Text.slice(S.Macros[0].Text.Begin, S.Macros[0].Text.End),
            "LOOPSCOPE_PHASE(\"b\")");
  EXPECT_TRUE(S.hasAnnotations());
}

TEST(SourceText, FindsUnknownNamesInOurNamespace) {
  SourceText S = scanText("[[loopscope::fase]] f();", cxx());
  ASSERT_EQ(S.Lists.size(), 1U);
  EXPECT_TRUE(S.Lists[0].Entries[0].Ours);
  EXPECT_FALSE(S.Lists[0].Entries[0].Known);
}

TEST(SourceText, SamplesAreOneExpression) {
  EXPECT_EQ(check("batch.size()"), "");
  EXPECT_EQ(check(""), "it is empty");
  EXPECT_EQ(check("f(a"), "its brackets don't match");
  EXPECT_EQ(check("f(a])"), "its brackets don't match");
  EXPECT_EQ(check("a; b"), "it holds a ';'");
  EXPECT_EQ(check("[] { return 1; }()"), "");
  EXPECT_EQ(check("a // b"), "it holds a comment");
  EXPECT_EQ(check("a\nb"), "it holds a line break");
  EXPECT_EQ(check("#a"), "it isn't an expression");
}

TEST(SourceText, OnlyParenthesesProtectAComma) {
  bool HasComma = true;
  EXPECT_EQ(check("f(a, b)", HasComma), "");
  EXPECT_FALSE(HasComma);
  EXPECT_EQ(check("T<a, b>::n", HasComma), "");
  EXPECT_TRUE(HasComma);
}

} // namespace
