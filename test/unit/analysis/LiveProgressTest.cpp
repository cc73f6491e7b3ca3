// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step times and the time left, for runs of known pace.

#include "Analysis/Steps/LiveProgress.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
// After STEPS steps of STEP_NS each, with as much time again for everything
// else.
Progress after(uint64_t Steps, int64_t StepNs) {
  Progress Result;
  Result.Steps = Steps;
  Result.StepNs = static_cast<int64_t>(Steps) * StepNs;
  Result.WallNs = 2 * Result.StepNs;
  return Result;
}

TEST(LiveProgress, EstimatesTheTimeLeft) {
  ProgressHistory History;
  EXPECT_FALSE(History.leftNs(100));
  History.add(after(10, 1000));
  EXPECT_FALSE(History.leftNs(100));
  EXPECT_TRUE(History.stepTimes().empty());
  History.add(after(30, 1000));
  EXPECT_EQ(History.stepTimes(), std::vector<double>{1000});
  // 70 steps, each with as much other time.
  EXPECT_DOUBLE_EQ(History.leftNs(100).value(), 70 * 2000);
  EXPECT_DOUBLE_EQ(History.leftNs(30).value(), 0);
  EXPECT_DOUBLE_EQ(History.leftNs(20).value(), 0);
}

TEST(LiveProgress, ReadingsWithoutAStepGiveNoStepTime) {
  ProgressHistory History;
  History.add(after(10, 1000));
  History.add(after(10, 1000));
  EXPECT_TRUE(History.stepTimes().empty());
  EXPECT_FALSE(History.leftNs(100));
}

TEST(LiveProgress, FollowsAChangeOfPace) {
  ProgressHistory History;
  Progress Now;
  for (int64_t Ns : {1000, 3000, 2000}) {
    Now.Steps += 10;
    Now.StepNs += 10 * Ns;
    Now.WallNs += 10 * Ns;
    History.add(Now);
  }
  EXPECT_EQ(History.stepTimes(), (std::vector<double>{3000, 2000}));
  EXPECT_DOUBLE_EQ(History.leftNs(40).value(), 10 * 2500);
  EXPECT_EQ(History.now().Steps, 30U);
  EXPECT_EQ(History.earlier().Steps, 20U);
}

TEST(LiveProgress, KeepsTheLastReadings) {
  ProgressHistory History;
  for (int I = 1; I <= 100; ++I) {
    Progress Now;
    Now.Steps = static_cast<uint64_t>(I);
    Now.StepNs = int64_t{I} * (I + 1) / 2; // step I takes I
    Now.WallNs = Now.StepNs;
    History.add(Now);
  }
  ASSERT_EQ(History.stepTimes().size(), 40U);
  EXPECT_DOUBLE_EQ(History.stepTimes().front(), 61);
  EXPECT_DOUBLE_EQ(History.stepTimes().back(), 100);
}

TEST(LiveProgress, RestartsWithItsSums) {
  ProgressHistory History;
  History.add(after(10, 1000));
  History.add(after(20, 1000));
  History.add(after(5, 1000));
  EXPECT_TRUE(History.stepTimes().empty());
  EXPECT_FALSE(History.leftNs(100));
}
} // namespace
