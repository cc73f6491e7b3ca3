// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans that an extension lengthens, and the cuts for that: their time is in a
// node of its own and in no other.

#include "Fixture.h"

#include "Run/Read/ProfileReader.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "tree/cut.h"
#include "tree/extension.h"
#include "tree/schedule.h"
#include "tree/subscriptions.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
constexpr loopscope_site CutSite = {
    LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(cut)", "", ""};
constexpr uint64_t Longer = 1000;
Node *LeftOpen = nullptr; // the cut that a test leaves open
std::string Borders;      // of cuts, with the nodes that they interrupted
extern const Extension Cutter;

// Phases whose names begin with "l" are lengthened by 1000 ticks; the cut of
// "lost" stays open.
uint64_t callPath(Node *N) {
  if (siteOf(N)->__name[0] == 'l')
    markSpans(Cutter, N, true);
  return 0;
}

uint64_t begins(Node * /*N*/, uint64_t /*Now*/) {
  FakeTicks += 3;
  return 3;
}

void ended(Thread *T, Node *N) {
  Node *Cut = cutNode(T, &CutSite);
  beginCut(T, Cut, FakeTicks);
  FakeTicks += Longer;
  if (siteOf(N)->__name[2] == 's')
    LeftOpen = Cut;
  else
    endCut(T, Cut, FakeTicks);
}

// Measuring the borders of cuts takes 2 and 4 ticks.
uint64_t border(Border What, Node *N, uint64_t Now) {
  uint64_t Taken = What == Border::CutBegan   ? 2
                   : What == Border::CutEnded ? 4
                                              : 0;
  if (Taken != 0) {
    Borders += siteOf(N)->__name;
    Borders += What == Border::CutBegan ? " begins, " : " goes on, ";
    EXPECT_EQ(Now, FakeTicks);
  }
  FakeTicks += Taken;
  return Taken;
}

const Extension Cutter = {.Name = "test",
                          .CostKey = LOOPSCOPE_SUM_COST "test",
                          .Words = {},
                          .NewCallPath = callPath,
                          .AtBorder = border,
                          .MarkedBegins = begins,
                          .MarkedLeft = ended};

/// Cutter is the only extension.
class CutTest : public RuntimeTest {
protected:
  CutTest() : Saved(Extensions) {
    static const Extension *const Only[] = {&Cutter};
    Extensions = {Only, 1};
    registerSum(Cutter.CostKey, LOOPSCOPE_SUM_TICKS);
    StepSchedule.WarmupSteps = 0;
  }
  ~CutTest() override { Extensions = Saved; }

  // A span of NAME that takes TICKS without its lengthening.
  static void span(const char *Name, uint64_t Ticks) {
    loopscope_token S = loopscope_enter(site(Name));
    advance(Ticks);
    loopscope_leave(S);
  }

private:
  ExtensionList Saved;
};

TEST_F(CutTest, TotalsExcludeTheCut) {
  loopscope_token A = loopscope_enter(site("a"));
  advance(5);
  for (int I = 0; I < 3; ++I)
    span("long", 10);
  advance(5);
  loopscope_leave(A);
  EXPECT_EQ(node("a/long").sum_ticks, 30U);
  EXPECT_EQ(node("a").sum_ticks, 3U * 10 + 10 + 3 * 3);
  EXPECT_EQ(node("(cut)").sum_ticks, 3 * Longer);
  EXPECT_EQ(node("(cut)").count, 3U);
  EXPECT_EQ(node("(cut)").max_ticks, Longer);
  // Roots, and the totals above them, include the thread's lifetime.
  auto P = loopscope::readProfile(finish());
  ASSERT_TRUE(static_cast<bool>(P));
  EXPECT_EQ(P->Nodes[P->Threads[0].Root].InclusiveNs,
            static_cast<int64_t>(FakeTicks - 1000));
  EXPECT_EQ(P->Nodes[P->Threads[0].Root].SelfNs, 0);
  EXPECT_EQ(P->Lost.BadRecords, 0U);
  int Cuts = 0;
  for (const loopscope::Node &N : P->Nodes)
    Cuts += N.IsCut;
  EXPECT_EQ(Cuts, 1);
}

TEST_F(CutTest, StepsExcludeTheCut) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 4; ++I) {
    advance(7);
    span("load", 20); // in the loop's header
    loopscope_token S = loopscope_step_begin(L);
    span("long", 10);
    advance(1);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").sum_ticks, 4U * (7 + 20 + 10 + 1 + 3 + 3));
  EXPECT_EQ(node("train/step/draw").sum_ticks, 4U * (7 + 20 + 3));
  EXPECT_EQ(node("train/step/batch").sum_ticks, 4U * (10 + 1 + 3));
  EXPECT_EQ(node("train").sum_ticks, node("train/step").sum_ticks);
  EXPECT_EQ(node("(cut)").sum_ticks, 8 * Longer);
}

// An explicit draw's time is part of the draw; its cut counts nowhere.
TEST_F(CutTest, ExplicitDrawsExcludeTheCut) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 2; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token Work = loopscope_enter(site("work"));
    advance(100);
    loopscope_token D =
        __loopscope_draw_enter(site("draw", LOOPSCOPE_KIND_DRAW));
    span("load", 20);
    loopscope_leave(D);
    advance(4);
    loopscope_leave(Work);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step/draw").sum_ticks, 2U * 23);
  EXPECT_EQ(node("train/step/batch").sum_ticks, 2U * 104);
  EXPECT_EQ(node("train/step/batch/work").sum_ticks, 2U * 104);
  EXPECT_EQ(node("train/step").sum_ticks, 2U * 127);
  EXPECT_EQ(node("(cut)").sum_ticks, 2 * Longer);
}

// Borders of cuts are reported to measuring extensions, with the interrupted
// node, which pays for their time.
TEST_F(CutTest, ReportsBordersOfCuts) {
  measureBorders();
  Borders.clear();
  loopscope_token A = loopscope_enter(site("a"));
  advance(5);
  span("long", 10);
  span("long", 10);
  loopscope_leave(A);
  EXPECT_EQ(Borders, "a begins, a goes on, a begins, a goes on, ");
  EXPECT_EQ(node("a").sum_ticks, 5U + 2 * (10 + 3 + 2 + 4));
  EXPECT_EQ(node("(cut)").sum_ticks, 2 * Longer);
}

// A jump out of a cut (a signal handler's) ends it.
TEST_F(CutTest, AJumpEndsACut) {
  loopscope_token A = loopscope_enter(site("a"));
  advance(5);
  span("long", 10);
  span("lost", 10);
  EXPECT_EQ(links(ThisThread.Memory->Tree).Current, LeftOpen);
  loopscope_leave(A);
  EXPECT_EQ(node("a").sum_ticks, 5U + 20 + 6);
  EXPECT_EQ(node("(cut)").sum_ticks, 2 * Longer);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_POPPED), 1U);
  EXPECT_EQ(links(links(ThisThread.Memory->Tree).Current).Parent, nullptr);
}

// Spans that aren't lengthened stay on the fast path, and return to it.
TEST_F(CutTest, StopsLengtheningSpans) {
  span("long", 10);
  Node &Long = node("long");
  EXPECT_TRUE(isMarked(&Long));
  EXPECT_FALSE(isMeasured(&Long));
  EXPECT_EQ(siteOf(&Long), site("long"));
  markSpans(Cutter, &Long, false);
  EXPECT_EQ(links(&Long).Site, site("long"));
  span("long", 10);
  EXPECT_EQ(node("(cut)").count, 1U);
  measureSpans(&Long, true);
  markSpans(Cutter, &Long, true);
  measureSpans(&Long, false);
  EXPECT_TRUE(isMarked(&Long));
}
} // namespace
