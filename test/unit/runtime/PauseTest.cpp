// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pauses of a thread's recording. That they are exact anywhere in a program is
// RandomTest's.

#include "Fixture.h"

#include "Run/Read/ProfileReader.h"
#include "tree/schedule.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

#include <thread>

using namespace loopscope::runtime;

namespace {
class PauseTest : public RuntimeTest {
protected:
  const loopscope_site *Loop = site("train", LOOPSCOPE_KIND_TRAIN);

  PauseTest() { StepSchedule.WarmupSteps = 0; }

  /// A phase of a step, as long as TICKS.
  static void phase(const char *Name, uint64_t Ticks) {
    loopscope_token P = loopscope_enter(site(Name));
    advance(Ticks);
    loopscope_leave(P);
  }

  /// By name, in all threads; empty if the profile can't be read.
  static std::map<std::string, int64_t> times(const std::string &Profile) {
    std::map<std::string, int64_t> Ns;
    if (auto Read = loopscope::readProfile(Profile))
      for (const loopscope::Node &N : Read->Nodes)
        if (N.Parent != loopscope::None)
          Ns[Read->nameOf(N)] += N.InclusiveNs;
    return Ns;
  }
};

TEST_F(PauseTest, ItsTimeIsOfNothingAround) {
  loopscope_token P = loopscope_enter(site("outer"));
  advance(10);
  loopscope_pause();
  advance(500);
  phase("inner", 30);
  loopscope_resume();
  advance(7);
  phase("inner", 3);
  loopscope_leave(P);
  EXPECT_EQ(node("outer").sum_ticks, 20U);
  EXPECT_EQ(node("outer/inner").count, 1U);
  EXPECT_EQ(node("(paused)").sum_ticks, 530U);
  EXPECT_EQ(node("(paused)").count, 1U);
}

TEST_F(PauseTest, WhatIsOpenMayEndInIt) {
  loopscope_token P = loopscope_enter(site("outer"));
  loopscope_token Q = loopscope_enter(site("inner"));
  advance(10);
  loopscope_pause();
  advance(100);
  loopscope_leave(Q);
  advance(200);
  loopscope_leave(P);
  advance(400);
  phase("unseen", 800);
  loopscope_resume();
  phase("seen", 5);
  EXPECT_EQ(node("outer").sum_ticks, 10U);
  EXPECT_EQ(node("outer/inner").sum_ticks, 10U);
  EXPECT_EQ(node("(paused)").sum_ticks, 1500U);
  EXPECT_EQ(node("seen").sum_ticks, 5U);
  EXPECT_EQ(nodes().count("unseen"), 0U);
}

// The loop of users who record some steps: a pause before it, and at the top of
// a step.
TEST_F(PauseTest, StepsAreCountedWholeOrNotAtAll) {
  loopscope_pause();
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 20; ++I) {
    advance(1);
    loopscope_token S = loopscope_step_begin(L);
    if (I == 5)
      loopscope_resume();
    if (I == 15)
      loopscope_pause();
    phase("p", 10);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  loopscope_resume();
  EXPECT_EQ(node("train/step").count, 9U); // 6 to 14
  EXPECT_EQ(node("train/step").sum_ticks, 99U);
  EXPECT_EQ(node("train/step").min_ticks, 11U);
  EXPECT_EQ(node("train/step/batch/p").count, 9U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STEPS_EXCLUDED), 11U);
}

TEST_F(PauseTest, AStepWithoutItsPauseCounts) {
  loopscope_token L = loopscope_loop_enter(Loop);
  for (int I = 0; I < 3; ++I) {
    advance(1);
    loopscope_token S = loopscope_step_begin(L);
    phase("p", 10);
    loopscope_pause();
    phase("unseen", 1000);
    loopscope_resume();
    phase("p", 10);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(node("train/step").count, 3U);
  EXPECT_EQ(node("train/step").sum_ticks, 63U);
  EXPECT_EQ(node("train/step/draw").sum_ticks, 3U);
  EXPECT_EQ(node("(paused)").sum_ticks, 3000U);
  EXPECT_EQ(counter(LOOPSCOPE_COUNT_STEPS_EXCLUDED), 0U);
}

TEST_F(PauseTest, PausesNest) {
  loopscope_pause();
  loopscope_pause();
  advance(1);
  loopscope_resume();
  phase("unseen", 10);
  loopscope_resume();
  phase("seen", 100);
  EXPECT_EQ(node("(paused)").sum_ticks, 11U);
  EXPECT_EQ(node("seen").count, 1U);
}

TEST_F(PauseTest, OtherThreadsRecord) {
  loopscope_pause();
  std::thread([] { phase("elsewhere", 10); }).join();
  loopscope_resume();
  phase("here", 1);
  EXPECT_EQ(times(finish())["elsewhere"], 10);
}

TEST_F(PauseTest, AThreadMayEndInIt) {
  std::thread([] {
    loopscope_enter(site("left"));
    advance(3);
    loopscope_pause();
    advance(50);
  }).join();
  std::thread([] { phase("next", 10); }).join(); // of the same tree
  std::map<std::string, int64_t> Ns = times(finish());
  EXPECT_EQ(Ns["left"], 3);
  EXPECT_EQ(Ns["(paused)"], 50);
  EXPECT_EQ(Ns["next"], 10);
}

TEST_F(PauseTest, TheProgramMayEndInIt) {
  loopscope_enter(site("outer"));
  advance(3);
  loopscope_pause();
  advance(50);
  std::map<std::string, int64_t> Ns = times(finish());
  EXPECT_EQ(Ns["outer"], 3);
  EXPECT_EQ(Ns["(paused)"], 50);
}

TEST_F(PauseTest, AResumeTooManyIsCounted) {
  loopscope_resume();
  phase("p", 1);
  loopscope_pause();
  loopscope_resume();
  loopscope_resume();
  auto Read = loopscope::readProfile(finish());
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->Lost.Named[LOOPSCOPE_COUNT_STRAY_RESUME], 2U);
}
} // namespace
