// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over batches: steps, draws and batches.

#include "Fixture.h"

#include "tree/schedule.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
class StepsTest : public RuntimeTest {
protected:
  const loopscope_site *Loop = site("train", LOOPSCOPE_KIND_TRAIN);
  const loopscope_site *Draw = site("load", LOOPSCOPE_KIND_DRAW);

  StepsTest() { StepSchedule.WarmupSteps = 0; }
};

TEST_F(StepsTest, DrawPlusBatchIsTheStep) {
  loopscope_token L = loopscope_loop_enter(Loop);
  for (uint64_t I = 0; I < 4; ++I) {
    advance(10 + I);
    loopscope_token S = loopscope_step_begin(L);
    advance(100);
    loopscope_step_end(S);
  }
  advance(5); // the check that fails
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").count, 4U);
  EXPECT_EQ(node("train/step").sum_ticks, 446U);
  EXPECT_EQ(node("train/step/draw").sum_ticks, 46U);
  EXPECT_EQ(node("train/step/batch").sum_ticks, 400U);
  EXPECT_EQ(node("train/step").uncounted_ticks, 5U);
  EXPECT_EQ(node("train/step/draw").uncounted_ticks, 5U);
  EXPECT_EQ(node("train").sum_ticks, 451U);
}

TEST_F(StepsTest, AnExplicitDrawMovesTimeFromBatchAndOpenPhases) {
  loopscope_token L = loopscope_loop_enter(Loop);
  advance(1);
  loopscope_token S = loopscope_step_begin(L);
  advance(10);
  loopscope_token P = loopscope_enter(site("p"));
  advance(20);
  loopscope_token D = loopscope_draw_enter(Draw);
  loopscope_token Q = loopscope_enter(site("read"));
  advance(300);
  loopscope_leave(Q);
  loopscope_leave(D);
  advance(4000);
  loopscope_leave(P);
  loopscope_step_end(S);
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").sum_ticks, 4331U);
  EXPECT_EQ(node("train/step/draw").sum_ticks, 301U);
  EXPECT_EQ(node("train/step/draw/read").sum_ticks, 300U);
  EXPECT_EQ(node("train/step/batch").sum_ticks, 4030U);
  EXPECT_EQ(node("train/step/batch/p").sum_ticks, 4020U);
}

TEST_F(StepsTest, ADrawOutsideAStepIsASpan) {
  loopscope_token D = loopscope_draw_enter(Draw);
  advance(3);
  loopscope_leave(D);
  EXPECT_EQ(node("load").sum_ticks, 3U);
  EXPECT_EQ(node("load").kind, LOOPSCOPE_KIND_DRAW);
}

TEST_F(StepsTest, ADrawInTheLoopsHeaderIsASpan) {
  loopscope_token L = loopscope_loop_enter(Loop);
  loopscope_token D = loopscope_draw_enter(Draw);
  advance(3);
  loopscope_leave(D);
  loopscope_step_end(loopscope_step_begin(L));
  loopscope_leave(L);
  EXPECT_EQ(node("train/step/draw/load").sum_ticks, 3U);
  EXPECT_EQ(node("train/step/draw").sum_ticks, 3U);
}

TEST_F(StepsTest, RatesAreSamplesPerTickOfEveryStep) {
  loopscope_token L = loopscope_loop_enter(Loop);
  for (uint64_t Ticks : {10, 40}) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_samples(S, 80);
    for (int I = 0; I < 2; ++I) {
      loopscope_token P = loopscope_enter(site("p"));
      advance(Ticks / 2);
      loopscope_leave(P);
    }
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").samples, 160U);
  for (const char *Path :
       {"train/step", "train/step/batch", "train/step/batch/p"}) {
    EXPECT_DOUBLE_EQ(node(Path).rate_sum, 8.0 + 2.0) << Path;
    EXPECT_EQ(node(Path).rate_count, 2U) << Path;
  }
}

TEST_F(StepsTest, NegativeSamplesAreZeroAndCounted) {
  loopscope_token L = loopscope_loop_enter(Loop);
  loopscope_token S = loopscope_step_begin(L);
  loopscope_samples(S, -5);
  loopscope_step_end(S);
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").samples, 0U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_BAD_SAMPLES), 1U);
}

TEST_F(StepsTest, AJumpOutOfTheBodyEndsTheStepAtTheNextOne) {
  loopscope_token L = loopscope_loop_enter(Loop);
  loopscope_step_begin(L);
  loopscope_enter(site("p"));
  advance(7);
  loopscope_token S = loopscope_step_begin(L);
  advance(2);
  loopscope_step_end(S);
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").count, 2U);
  EXPECT_EQ(node("train/step/batch").sum_ticks, 9U);
  EXPECT_EQ(node("train/step/batch/p").sum_ticks, 7U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_POPPED), 2U);
}

TEST_F(StepsTest, AJumpOutOfTheLoopEndsEverythingInIt) {
  loopscope_token F = loopscope_enter(site("f"));
  loopscope_token L = loopscope_loop_enter(Loop);
  loopscope_step_begin(L);
  loopscope_draw_enter(Draw);
  loopscope_enter(site("read"));
  advance(7);
  loopscope_leave(F);
  EXPECT_EQ(node("f").sum_ticks, 7U);
  EXPECT_EQ(node("f/train/step").sum_ticks, 7U);
  EXPECT_EQ(node("f/train/step/draw").sum_ticks, 7U);
  EXPECT_EQ(node("f/train/step/batch").sum_ticks, 0U);
  for (const auto &[Path, N] : nodes())
    EXPECT_EQ(N->open, 0U) << Path;
}

TEST_F(StepsTest, WarmupStepsOfTheRunHaveTheirOwnNode) {
  StepSchedule.WarmupSteps = 2;
  for (int Epoch = 0; Epoch < 2; ++Epoch) {
    loopscope_token L = loopscope_loop_enter(Loop);
    for (int I = 0; I < 5; ++I)
      loopscope_step_end(loopscope_step_begin(L));
    loopscope_leave(L);
  }
  EXPECT_EQ(node("train/step*").count, 2U);
  EXPECT_EQ(node("train/step").count, 8U);
}

TEST_F(StepsTest, WarmupStepsOfEveryEpoch) {
  StepSchedule.WarmupSteps = 2;
  StepSchedule.WarmupPerEpoch = true;
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    loopscope_token L = loopscope_loop_enter(Loop);
    for (int I = 0; I < 5; ++I)
      loopscope_step_end(loopscope_step_begin(L));
    loopscope_leave(L);
  }
  EXPECT_EQ(node("train/step*").count, 6U);
  EXPECT_EQ(node("train/step").count, 9U);
}

TEST_F(StepsTest, StepsOutsideTheWindowCostNoSpansAndKeepTheirTime) {
  StepSchedule.WindowWait = 2;
  StepSchedule.WindowWarmup = 1;
  StepSchedule.WindowActive = 3;
  StepSchedule.WindowRepeat = 1;
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 10; ++I) {
    advance(1);
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token P = loopscope_enter(site("p"));
    loopscope_token D = loopscope_draw_enter(Draw);
    advance(10);
    loopscope_leave(D);
    advance(100);
    loopscope_leave(P);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step*").count, 1U);
  EXPECT_EQ(node("train/step").count, 3U);
  EXPECT_EQ(node("train/step/batch/p").count, 3U);
  EXPECT_EQ(node("train/step-").uncounted_ticks, 6U * 111);
  EXPECT_EQ(node("train/step-/draw").uncounted_ticks +
                node("train/step-/batch").uncounted_ticks,
            6U * 111);
  EXPECT_EQ(node("train").sum_ticks, 1110U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STEPS_EXCLUDED), 6U);
}

TEST_F(StepsTest, LoopsNest) {
  const loopscope_site *Inner = site("valid", LOOPSCOPE_KIND_VALID);
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 2; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token V = loopscope_loop_enter(Inner);
    for (int J = 0; J < 3; ++J) {
      advance(2);
      loopscope_token T = loopscope_step_begin(V);
      advance(5);
      loopscope_step_end(T);
    }
    loopscope_leave(V);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step/batch/valid").count, 2U);
  EXPECT_EQ(node("train/step/batch/valid/step").count, 6U);
  EXPECT_EQ(node("train/step/batch/valid/step/draw").sum_ticks, 12U);
  EXPECT_EQ(node("train/step/batch").sum_ticks, 42U);
}

TEST_F(StepsTest, ALoopInAWarmupStepContinuesCountingInTheOthers) {
  StepSchedule.WarmupSteps = 2;
  const loopscope_site *Inner = site("valid", LOOPSCOPE_KIND_VALID);
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 4; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token P = loopscope_enter(site("evaluate"));
    loopscope_token V = loopscope_loop_enter(Inner);
    for (int J = 0; J < 3; ++J)
      loopscope_step_end(loopscope_step_begin(V));
    loopscope_leave(V);
    loopscope_leave(P);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step*/batch/evaluate/valid/step*").count, 2U);
  EXPECT_EQ(node("train/step*/batch/evaluate/valid/step").count, 4U);
  EXPECT_EQ(node("train/step/batch/evaluate/valid/step").count, 6U);
  EXPECT_FALSE(nodes().contains("train/step/batch/evaluate/valid/step*"));
}

TEST_F(StepsTest, AWindowCountsALoopsStepsAcrossTheKindsOfStepsAroundIt) {
  StepSchedule.WindowWarmup = 3;
  StepSchedule.WindowActive = 1000;
  const loopscope_site *Inner = site("valid", LOOPSCOPE_KIND_VALID);
  const loopscope_site *Third = site("third", LOOPSCOPE_KIND_VALID);
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 4; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    loopscope_token V = loopscope_loop_enter(Inner);
    for (int J = 0; J < 2; ++J) {
      loopscope_token T = loopscope_step_begin(V);
      loopscope_token W = loopscope_loop_enter(Third);
      loopscope_step_end(loopscope_step_begin(W));
      loopscope_leave(W);
      loopscope_step_end(T);
    }
    loopscope_leave(V);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  uint64_t Steps[3] = {}, Warmup[3] = {};
  for (const auto &[Path, N] : nodes())
    if (N->kind == LOOPSCOPE_KIND_STEP) {
      size_t Level = Path.find("third") != Path.npos   ? 2
                     : Path.find("valid") != Path.npos ? 1
                                                       : 0;
      Steps[Level] += N->count;
      Warmup[Level] += N->flags == LOOPSCOPE_NODE_WARMUP ? N->count : 0;
    }
  EXPECT_EQ(Steps[0], 4U);
  EXPECT_EQ(Steps[1], 8U);
  EXPECT_EQ(Steps[2], 8U);
  for (uint64_t Each : Warmup)
    EXPECT_EQ(Each, 3U);
}
} // namespace
