// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which steps are warm-up, and which are excluded.

#include "tree/schedule.h"

#include <gtest/gtest.h>

#include <string>

using namespace loopscope::runtime;

// The fates of the first steps: . counted, w warm-up, x excluded. Also checks
// each announced change.
static std::string fates(const Schedule &S, uint64_t Count,
                         uint64_t EpochLength) {
  std::string Result;
  uint64_t Change = 0;
  for (uint64_t I = 0; I < Count; ++I) {
    uint64_t Next = 0;
    StepFate Fate = S.fateOf(I, I % EpochLength, Next);
    char Letter = Fate == StepFate::Counted  ? '.'
                  : Fate == StepFate::Warmup ? 'w'
                                             : 'x';
    bool NewEpoch = I % EpochLength == 0;
    if (I < Change && !NewEpoch) {
      EXPECT_EQ(Letter, Result.back()) << "step " << I;
    }
    EXPECT_GT(Next, I);
    Change = Next;
    Result += Letter;
  }
  return Result;
}

TEST(ScheduleTest, FirstStepsOfTheRun) {
  Schedule S;
  S.WarmupSteps = 2;
  EXPECT_EQ(fates(S, 8, 4), "ww......");
}

TEST(ScheduleTest, FirstStepsOfEveryEpoch) {
  Schedule S;
  S.WarmupSteps = 2;
  S.WarmupPerEpoch = true;
  EXPECT_EQ(fates(S, 8, 4), "ww..ww..");
}

TEST(ScheduleTest, WindowRepeats) {
  Schedule S;
  S.WarmupSteps = 0;
  S.WindowWait = 1;
  S.WindowWarmup = 1;
  S.WindowActive = 2;
  S.WindowRepeat = 2;
  EXPECT_EQ(fates(S, 12, 12), "xw..xw..xxxx");
  S.WindowRepeat = 0;
  EXPECT_EQ(fates(S, 12, 12), "xw..xw..xw..");
}

TEST(ScheduleTest, WarmupCountsInsideTheWindowToo) {
  Schedule S;
  S.WarmupSteps = 3;
  S.WindowWait = 2;
  S.WindowActive = 3;
  EXPECT_EQ(fates(S, 10, 10), "xxw..xx...");
}
