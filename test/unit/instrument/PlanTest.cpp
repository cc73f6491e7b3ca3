// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edits go where: several hooks at one place, clock readings shared by
// phases, and the files of a unit. All input is hand-made, without a parse.

#include "Instrument/Write/Plan.h"
#include "Instrument/Write/Dump.h"
#include "Source.h"

using namespace loopscope::instrument;

namespace {

/// "offset: text" for each edit, in order.
std::vector<std::string> texts(const std::vector<Edit> &Edits) {
  std::vector<std::string> All;
  for (const Edit &E : Edits)
    All.push_back(std::to_string(E.Where.Begin) + ": " + E.Text);
  return All;
}

std::vector<std::string> planned(const Source &S) {
  return texts(planEdits(S.sites(), S.U.Files[0]));
}

using Texts = std::vector<std::string>;

TEST(Plan, ThreePhasesInARowReadTheClockFourTimes) {
  Source S("{ a(); b(); c(); }");
  for (const char *Part : {"a();", "b();", "c();"})
    S.add(Kind::Phase, Form::Wrap, Part, Part).Parent = 1;
  EXPECT_EQ(S.rewritten(),
            "{ {__LOOPSCOPE_SPAN(1, PHASE, \"a();\", 3, \"f\"); a();} "
            "{__LOOPSCOPE_SPAN_NEXT(2, PHASE, \"b();\", 3, \"f\"); b();} "
            "{__LOOPSCOPE_SPAN_NEXT(3, PHASE, \"c();\", 3, \"f\"); c();} }");
}

TEST(Plan, ADeclarationsEndStartsTheNextPhase) {
  Source S("{ int a = 1; b(); }");
  S.add(Kind::Phase, Form::Pair, "int a = 1;", "one").Parent = 1;
  S.add(Kind::Phase, Form::Wrap, "b();", "two").Parent = 1;
  EXPECT_EQ(S.rewritten(),
            "{ __LOOPSCOPE_SPAN(1, PHASE, \"one\", 3, \"f\"); int a = 1; "
            "__LOOPSCOPE_END(1); "
            "{__LOOPSCOPE_SPAN_NEXT(2, PHASE, \"two\", 3, \"f\"); b();} }");
}

TEST(Plan, PhasesShareAReadingOnlyAcrossComments) {
  Source S("{ a(); /* x */ // y\n b(); ; c(); }");
  for (const char *Part : {"a();", "b();", "c();"})
    S.add(Kind::Phase, Form::Wrap, Part, Part).Parent = 1;
  EXPECT_TRUE(S.sites()[1].Next);
  EXPECT_FALSE(S.sites()[2].Next);
}

TEST(Plan, PhasesInDifferentBlocksShareNoReading) {
  Source S("{ { a(); } b(); }");
  S.add(Kind::Phase, Form::Wrap, "a();", "a").Parent = 3;
  S.add(Kind::Phase, Form::Wrap, "b();", "b").Parent = 1;
  EXPECT_FALSE(S.sites()[1].Next);
}

TEST(Plan, APhaseThatOpensABlockStartsWithIt) {
  Source S("{ a(); }");
  S.add(Kind::Phase, Form::Block, "{ a(); }", "outer").Body = {
      S.range(" a(); "), true};
  S.add(Kind::Phase, Form::Wrap, "a();", "inner").Parent = 1;
  EXPECT_EQ(S.rewritten(), "{__LOOPSCOPE_SPAN(1, PHASE, \"outer\", 3, \"f\"); "
                           "{__LOOPSCOPE_SPAN_NEXT(2, PHASE, \"inner\", 3, "
                           "\"f\"); a();} }");
}

TEST(Plan, ConstructsWithoutAClockShareNoReading) {
  Source S("{ a(); }");
  S.add(Kind::Function, Form::Block, "{ a(); }", "f").Body = {S.range(" a(); "),
                                                              true};
  S.add(Kind::Phase, Form::Wrap, "a();", "inner").Parent = 1;
  EXPECT_FALSE(S.sites()[1].Next);
}

TEST(Plan, ADrawStartsAtItsOwnReading) {
  Source S("{ a(); b(); }");
  S.add(Kind::Phase, Form::Wrap, "a();", "a").Parent = 1;
  S.add(Kind::Draw, Form::Wrap, "b();", "draw").Parent = 1;
  EXPECT_FALSE(S.sites()[1].Next);
}

TEST(Plan, APhaseAfterALoopOverEpochsStartsAtItsOwnReading) {
  Source S("{ for (;;) { } b(); }");
  Annotation &A = S.add(Kind::Epoch, Form::Loop, "for (;;) { }", "epoch");
  A.Parent = 1;
  A.Body = {{12, 13}, true};
  S.add(Kind::Phase, Form::Wrap, "b();", "b").Parent = 1;
  EXPECT_FALSE(S.sites()[1].Next);
}

TEST(Plan, TwoPhasesOfOneStatementAreNested) {
  Source S("a();");
  S.add(Kind::Fit, Form::Wrap, "a();", "fit");
  S.add(Kind::Phase, Form::Wrap, "a();", "in");
  EXPECT_EQ(S.rewritten(),
            "{__LOOPSCOPE_SPAN(1, FIT, \"fit\", 3, \"f\"); "
            "{__LOOPSCOPE_SPAN_NEXT(2, PHASE, \"in\", 3, \"f\"); a();}}");
}

TEST(Plan, InnerConstructsCloseFirst) {
  Source S("{ a(); { b(); } }");
  S.add(Kind::Phase, Form::Wrap, "b();", "inner");
  S.add(Kind::Phase, Form::Wrap, "{ b(); }", "outer");
  Annotation &Loop = S.add(Kind::Phase, Form::Pair, "a();", "pair");
  Loop.Parent = 1;
  EXPECT_EQ(planned(S),
            (Texts{"2: __LOOPSCOPE_SPAN(1, PHASE, \"pair\", 3, \"f\"); ",
                   "6:  __LOOPSCOPE_END(1);",
                   "7: {__LOOPSCOPE_SPAN(2, PHASE, \"outer\", 3, \"f\"); ",
                   "9: {__LOOPSCOPE_SPAN(3, PHASE, \"inner\", 3, \"f\"); ",
                   "13: }", "15: }"}));
}

TEST(Plan, AtOneOffsetEndsComeBeforeStarts) {
  Source S("a();b();");
  S.add(Kind::Phase, Form::Wrap, "b();", "b");
  S.add(Kind::Phase, Form::Wrap, "a();", "a");
  EXPECT_EQ(
      planned(S),
      (Texts{"0: {__LOOPSCOPE_SPAN(1, PHASE, \"a\", 3, \"f\"); ", "4: }",
             "4: {__LOOPSCOPE_SPAN(2, PHASE, \"b\", 3, \"f\"); ", "8: }"}));
}

TEST(Plan, SamplesFollowTheEndOfTheDeclarationThatTheyName) {
  Source S("for (;;) {int n = 1;b();}");
  Annotation &A = S.add(Kind::Train, Form::Loop, "for (;;) {int n = 1;b();}");
  A.Body = {S.range("int n = 1;b();"), true};
  A.Amounts[Quantity::Samples] = {"n", S.range("int n = 1;").End};
  S.add(Kind::Phase, Form::Pair, "int n = 1;", "pair");
  S.add(Kind::Phase, Form::Wrap, "b();", "b");
  EXPECT_EQ(
      planned(S),
      (Texts{"0: {__LOOPSCOPE_SPAN(1, TRAIN, \"\", 3, \"f\"); ",
             "10: __LOOPSCOPE_STEP(2, 1); ",
             "10: __LOOPSCOPE_SPAN(3, PHASE, \"pair\", 3, \"f\"); ",
             "20:  __LOOPSCOPE_END(3);", "20:  __LOOPSCOPE_SAMPLES(2, n);",
             "20: {__LOOPSCOPE_SPAN(4, PHASE, \"b\", 3, \"f\"); ", "24: }",
             "25: }"}));
}

TEST(Plan, AHookAtTheEndOfALineLeavesNoTrailingSpace) {
  Source S("{\n a(); }");
  S.add(Kind::Phase, Form::Block, "{\n a(); }", "x").Body = {
      S.range("\n a(); "), true};
  EXPECT_EQ(planned(S),
            (Texts{"1: __LOOPSCOPE_SPAN(1, PHASE, \"x\", 3, \"f\");"}));
}

TEST(Plan, AnAttributeIsBlankedInFrontOfItsHook) {
  Source S("[[x]]a();");
  S.add(Kind::Phase, Form::Wrap, "a();", "a").AnnotationBegin = 0;
  S.U.Files[0].Blanks.push_back(S.range("[[x]]"));
  EXPECT_EQ(
      planned(S),
      (Texts{"0:      ", "5: {__LOOPSCOPE_SPAN(1, PHASE, \"a\", 3, \"f\"); ",
             "9: }"}));
}

TEST(Plan, BlankingKeepsEveryLineAndTab) {
  Source S("[[a,\r\n\tb]] f(); [[c]] g();");
  S.U.Files[0].Blanks.push_back(S.range("[[c]]"));
  S.U.Files[0].Blanks.push_back(S.range("[[a,\r\n\tb]]"));
  EXPECT_EQ(S.rewritten(), "    \r\n\t    f();       g();");
}

//===--- The files of a unit ----------------------------------------------===//

/// main.cpp, which includes net.h next to it, with a phase in the header.
ParseResult twoFiles() {
  ParseResult R;
  R.Code.Files.push_back(
      {"/s/main.cpp", "main.cpp", "#include \"net.h\"\n", true, {}});
  R.Code.Files.push_back({"/s/net.h", "./net.h", "{ a(); }\n", false, {}});
  Annotation A;
  A.File = 1;
  A.Name = "a";
  A.Function = "f";
  A.Line = 1;
  A.Whole = {2, 6};
  R.Code.Annotations.push_back(A);
  R.Inclusions["/s/main.cpp"].push_back(
      {1, {1, 8}, {9, 16}, "/s/net.h", "./net.h", true});
  return R;
}

TEST(Plan, AFileWithoutSitesIsUnchanged) {
  ParseResult R = twoFiles();
  std::vector<PlannedFile> Plan = planFiles(R, MirrorLayout());
  ASSERT_EQ(Plan.size(), 2U);
  EXPECT_FALSE(Plan[0].Changes);
  EXPECT_EQ(Plan[0].Edits.size(), 0U);
  EXPECT_EQ(rewrittenText(Plan[0]), "#include \"net.h\"\n");
  EXPECT_TRUE(Plan[1].Changes);
  EXPECT_EQ(Plan[1].Sites.size(), 1U);
}

TEST(Plan, IncludesInAMirrorPointToTheMirroredHeader) {
  ParseResult R = twoFiles();
  std::vector<PlannedFile> Plan = planFiles(R, {"/m", "", false});
  EXPECT_EQ(texts(Plan[0].Edits), (Texts{"9: \"/m/s/net.h\""}));
  ASSERT_EQ(Plan[0].IncludeEdits.size(), 1U);
  EXPECT_EQ(Plan[0].IncludeEdits[0].Line, 1U);
  EXPECT_EQ(Plan[0].IncludeEdits[0].From, "\"net.h\"");
  EXPECT_EQ(Plan[0].IncludeEdits[0].To, "\"/m/s/net.h\"");
  EXPECT_EQ(rewrittenText(Plan[0]), "#include <loopscope/hooks.h>\n"
                                    "#line 1 \"main.cpp\"\n"
                                    "#include \"/m/s/net.h\"\n");
}

TEST(Plan, AHeaderThatStaysIsIncludedByItsPath) {
  ParseResult R = twoFiles();
  R.Code.Files[0].Text = "#include_next \"x.h\"\n";
  R.Inclusions["/s/main.cpp"] = {
      {1, {1, 13}, {14, 19}, "/s/x.h", "./x.h", true}};
  EXPECT_EQ(texts(planFiles(R, {"/m", "", false})[0].Edits),
            (Texts{"1: include", "14: \"/s/x.h\""}));
  R.Inclusions["/s/main.cpp"][0].MoveBreaks = false;
  EXPECT_EQ(texts(planFiles(R, {"/m", "", false})[0].Edits), Texts{});
}

TEST(Plan, ARelocatableMirrorDoesNotNameTheDirectory) {
  MirrorLayout Layout = {"/s/b/o", "/s/b", false};
  ParseResult R = twoFiles();
  R.Code.Files[0].Spelling = "../main.cpp";
  R.Code.Files[1].Spelling = "../net.h";
  EXPECT_EQ(mirroredPath(Layout, R.Code.Files[0]),
            "/s/b/o/loopscope-1/main.cpp");
  EXPECT_EQ(texts(planFiles(R, Layout)[0].Edits),
            (Texts{"9: \"loopscope-1/net.h\""}));
  R.Code.Files.pop_back();
  R.Code.Annotations.clear();
  EXPECT_EQ(texts(planFiles(R, Layout)[0].Edits),
            (Texts{"9: \"../../../net.h\""}));
  R.Inclusions["/s/main.cpp"][0].Name = "/s/net.h";
  EXPECT_EQ(texts(planFiles(R, Layout)[0].Edits), (Texts{"9: \"/s/net.h\""}));
}

//===--- --dump -----------------------------------------------------------===//

TEST(Plan, ADumpIsSortedByPlaceWithRefusalsAtTheirStage) {
  Source S("{\n  [[x]] a();\n}\n");
  S.add(Kind::Phase, Form::Wrap, "a();", "a\"b").AnnotationBegin = 4;
  S.U.Files[0].Blanks.push_back(S.range("[[x]]"));
  ParseResult R;
  R.Code = S.U;
  R.Refusals.push_back({{"x.cpp", 4, 1}, Stage::Refuse, "in-macro", "no"});
  R.Refusals.push_back({{"x.cpp", 1, 2}, Stage::Find, "name-empty", "none"});
  std::vector<PlannedFile> Plan = planFiles(R, MirrorLayout());
  EXPECT_EQ(dumpMarks(R, nullptr),
            "x.cpp:1:2: refused by find [name-empty]: none\n");
  EXPECT_EQ(dumpSites(R, Plan),
            "x.cpp:1:2: refused by find [name-empty]: none\n"
            "x.cpp:2:9: site 1: phase \"a\\\"b\", form wrap, to 2:13, in f\n"
            "x.cpp:4:1: refused by refuse [in-macro]: no\n");
  EXPECT_EQ(dumpEdits(R, Plan),
            "x.cpp:1:2: refused by find [name-empty]: none\n"
            "x.cpp:2:3: at 4-9: blank \"[[x]]\"\n"
            "x.cpp:2:9: at 10: insert \"{__LOOPSCOPE_SPAN(1, PHASE, "
            "\\\"a\\\\\\\"b\\\", 3, \\\"f\\\"); \"\n"
            "x.cpp:2:13: at 14: insert \"}\"\n"
            "x.cpp:4:1: refused by refuse [in-macro]: no\n");
}

} // namespace
