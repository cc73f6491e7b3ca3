// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbering, and which text goes where, on hand-made values.

#include "Source.h"

using namespace loopscope::instrument;

namespace {

TEST(Edits, AnEmptyPlanChangesNothing) {
  Source S("int main() {}\n");
  EXPECT_EQ(S.rewritten(), "int main() {}\n");
}

TEST(Edits, AStatementIsWrapped) {
  Source S("{ a(); b(); }");
  S.add(Kind::Phase, Form::Wrap, "b();", "two");
  EXPECT_EQ(S.rewritten(),
            "{ a(); {__LOOPSCOPE_SPAN(1, PHASE, \"two\", 3, \"f\"); b();} }");
}

TEST(Edits, ADeclarationIsPairedAndItsAttributeBlanked) {
  Source S("{ [[x]] int a = 1; }");
  Annotation &A = S.add(Kind::Phase, Form::Pair, "int a = 1;", "one");
  A.AnnotationBegin = S.range("[[x]]").Begin;
  S.U.Files[0].Blanks.push_back(S.range("[[x]]"));
  EXPECT_EQ(S.rewritten(),
            "{       __LOOPSCOPE_SPAN(1, PHASE, \"one\", 3, \"f\"); int a = 1; "
            "__LOOPSCOPE_END(1); }");
}

TEST(Edits, BlanksKeepLinesAndTabs) {
  Source S("[[a\n\tb]] f();");
  S.U.Files[0].Blanks.push_back(S.range("[[a\n\tb]]"));
  EXPECT_EQ(S.rewritten(), "   \n\t    f();");
}

TEST(Edits, ALoopOfStepsHasAGuardAroundItAndAStepInIt) {
  Source S("for (;;) { g(); }");
  Annotation &A = S.add(Kind::Train, Form::Loop, "for (;;) { g(); }", "train");
  A.Amounts[Quantity::Samples].Text = "n";
  A.Body = {S.range(" g(); "), true};
  EXPECT_EQ(S.rewritten(),
            "{__LOOPSCOPE_SPAN(1, TRAIN, \"train\", 3, \"f\"); for (;;) "
            "{__LOOPSCOPE_STEP(2, 1); __LOOPSCOPE_SAMPLES(2, n); g(); }}");
}

TEST(Edits, AnEpochWithoutBracesGetsBraces) {
  Source S("for (;;) g();");
  Annotation &A = S.add(Kind::Epoch, Form::Loop, "for (;;) g();", "epoch");
  A.Body = {S.range("g();"), false};
  EXPECT_EQ(S.rewritten(), "for (;;) {__LOOPSCOPE_SPAN(1, EPOCH, \"epoch\", 3, "
                           "\"f\"); g();}");
}

TEST(Edits, SitesAreNumberedInTheOrderOfTheTextOuterFirst) {
  Source S("{ a(); { b(); } }");
  S.add(Kind::Phase, Form::Wrap, "b();", "inner");
  S.add(Kind::Phase, Form::Wrap, "{ b(); }", "outer");
  S.add(Kind::Phase, Form::Wrap, "a();", "first");
  std::vector<Site> Sites = S.sites();
  ASSERT_EQ(Sites.size(), 3U);
  EXPECT_EQ(Sites[0].A.Name, "first");
  EXPECT_EQ(Sites[1].A.Name, "outer");
  EXPECT_EQ(Sites[2].A.Name, "inner");
  EXPECT_EQ(Sites[2].ID, "3");
}

TEST(Edits, NeighboursInABlockShareAReading) {
  Source S("{ a(); /* c */ b(); x(); c(); }");
  for (const char *Part : {"a();", "b();", "c();"})
    S.add(Kind::Phase, Form::Wrap, Part, Part).Parent = 1;
  std::vector<Site> Sites = S.sites();
  EXPECT_FALSE(Sites[0].Next);
  EXPECT_TRUE(Sites[1].Next);
  EXPECT_FALSE(Sites[2].Next);
}

TEST(Edits, ASlashAfterACommentsStartDoesNotEndIt) {
  Source S("{ a(); /*/ c */ b(); /**/ c(); /*/ x(); /*/ d(); }");
  for (const char *Part : {"a();", "b();", "c();", "d();"})
    S.add(Kind::Phase, Form::Wrap, Part, Part).Parent = 1;
  std::vector<Site> Sites = S.sites();
  EXPECT_TRUE(Sites[1].Next);
  EXPECT_TRUE(Sites[2].Next);
  EXPECT_TRUE(Sites[3].Next);
}

TEST(Edits, NumbersInAHeaderStartWithAHashOfItsNameAndText) {
  Source S("{ a(); }");
  S.add(Kind::Phase, Form::Wrap, "a();", "one");
  S.U.Files[0].Main = false;
  std::string ID = S.sites()[0].ID;
  EXPECT_EQ(ID.substr(ID.size() - 2), "_1");
  S.U.Files[0].Text += "\n";
  EXPECT_NE(S.sites()[0].ID, ID);
}

TEST(Edits, TextIsQuotedAsAStringLiteral) {
  EXPECT_EQ(quote("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(quote("what\?\?!"), "\"what?\\?!\"");
  EXPECT_EQ(quote("a\tb\nc\x01"), "\"a\\tb\\nc\\001\"");
}

} // namespace
