// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps, roles and GPU use, on traces small enough to compute by hand.

#include "Analysis/Steps/TraceSteps.h"
#include "TraceBuilder.h"

#include <loopscope/profile_format_gpu.h>

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
StepAnalysis analyze(const TraceBuilder &Builder,
                     StepLimits Limits = StepLimits::Marks) {
  EventStream Trace = Builder.read();
  return analyzeSteps(Trace, LaunchLinks(Trace), Limits);
}

std::array<int64_t, RoleCount> micros(const TraceStep &Step) {
  std::array<int64_t, RoleCount> Out = Step.Roles;
  for (int64_t &Each : Out)
    Each /= 1000;
  return Out;
}

using Roles = std::array<int64_t, RoleCount>;
} // namespace

// A step lies between its marks; in TensorBoard's plugin it ends with the last
// device work that it launched, and the next one starts there.
TEST(Steps, LimitsAreMarksOrMoveToTheDevice) {
  TraceBuilder B;
  B.step("ProfilerStep#3", 0, 100)
      .runtime(10, 5, 1)
      .kernel("k", 90, 40, 1)
      .step("ProfilerStep#4", 100, 100)
      .runtime(110, 5, 2)
      .kernel("k", 150, 70, 2);
  StepAnalysis A = analyze(B);
  ASSERT_EQ(A.Steps.size(), 2U);
  EXPECT_EQ(A.Steps[0].Name, "3");
  EXPECT_EQ(A.Steps[0].Time.End, 100000);
  EXPECT_EQ(A.Steps[1].Time.Start, 100000);
  EXPECT_EQ(A.Steps[1].Time.End, 200000);
  EXPECT_EQ(A.LateNs, 20000);

  A = analyze(B, StepLimits::DeviceWork);
  ASSERT_EQ(A.Steps.size(), 2U);
  EXPECT_EQ(A.Steps[0].Time.Start, 0);
  EXPECT_EQ(A.Steps[0].Time.End, 130000);
  EXPECT_EQ(A.Steps[1].Time.Start, 130000);
  EXPECT_EQ(A.Steps[1].Time.End, 220000);
  EXPECT_EQ(A.LateNs, 0);
}

// The first step starts at an earlier launch whose work is finished only later,
// if that launch is before its own work's start.
TEST(Steps, TheFirstStepWaitsForEarlierWork) {
  StepAnalysis A = analyze(TraceBuilder()
                               .kernel("before", 5, 25, 9)
                               .step("ProfilerStep#1", 10, 90)
                               .runtime(20, 5, 1)
                               .kernel("k", 40, 10, 1),
                           StepLimits::DeviceWork);
  EXPECT_EQ(A.Steps[0].Time.Start, 30000);
}

// Without marks, the run is a step: the life of the longest thread of the host.
TEST(Steps, WithoutMarksTheLongestThreadIsTheStep) {
  StepAnalysis A =
      analyze(TraceBuilder().op("aten::mm", 20, 60).runtime(90, 20, 3));
  ASSERT_TRUE(A.NoStepMarks);
  EXPECT_EQ(A.Steps[0].Time.Start, 20000);
  EXPECT_EQ(A.Steps[0].Time.End, 80000);
}

TEST(Steps, LaunchesAcrossTheEndOfAStepBelongToNone) {
  StepAnalysis A = analyze(TraceBuilder()
                               .step("ProfilerStep#1", 0, 100)
                               .runtime(10, 5, 1)
                               .kernel("k", 20, 10, 1)
                               .runtime(98, 5, 2)
                               .kernel("k", 150, 10, 2));
  EXPECT_EQ(A.Steps[0].Time.End, 100000);
  EXPECT_EQ(A.Steps[0].DeviceEvents, 1U);
}

TEST(Steps, LastStepsWithoutTheirDeviceWorkAreDropped) {
  TraceBuilder B;
  uint64_t Correlation = 0;
  auto AddStep = [&](const char *Name, int64_t Start, int Launches) {
    B.step(Name, Start, 100);
    for (int I = 0; I < Launches; ++I) {
      ++Correlation;
      B.runtime(Start + 2 * I, 1, Correlation);
      B.kernel("k", Start + 50 + I, 1, Correlation);
    }
  };
  AddStep("ProfilerStep#1", 0, 10);
  AddStep("ProfilerStep#2", 100, 8); // 0.8 of the others: kept
  AddStep("ProfilerStep#3", 200, 0);
  StepAnalysis A = analyze(B);
  EXPECT_EQ(A.Steps.size(), 2U);
  EXPECT_EQ(A.DroppedSteps, 1U);

  B = TraceBuilder();
  AddStep("ProfilerStep#1", 0, 10);
  AddStep("ProfilerStep#2", 100, 7);
  A = analyze(B);
  EXPECT_EQ(A.Steps.size(), 1U);
  EXPECT_EQ(A.DroppedSteps, 1U);
}

// Each role gets the time that no earlier role has; the parts add up to the
// step, even if a kernel fills it.
TEST(Steps, RolesAddUp) {
  StepAnalysis A =
      analyze(TraceBuilder()
                  .step("ProfilerStep#1", 0, 100)
                  .host(TraceKind::Annotation,
                        "enumerate(DataLoader)#_SingleProcess.__next__", 0, 20)
                  .op("aten::mm", 20, 60)
                  .runtime(30, 10, 1)
                  .kernel("k", 35, 20, 1)
                  .runtime(60, 10, 2)
                  .device(TraceKind::Memcpy, "Memcpy", 50, 15, 2)
                  .runtime(70, 2, 3)
                  .device(TraceKind::Memset, "Memset", 72, 1, 3));
  // kernel 35-55, memcpy 55-65, memset 72-73, runtime 30-35, 65-70, 70-72,
  // loader 0-20, operator 20-30, 73-80, rest 80-100
  EXPECT_EQ(micros(A.Steps[0]), (Roles{20, 10, 1, 0, 12, 20, 0, 17, 20}));

  A = analyze(TraceBuilder()
                  .step("ProfilerStep#1", 0, 100)
                  .op("aten::mm", 0, 100)
                  .runtime(0, 1, 1)
                  .kernel("k", 0, 100, 1));
  EXPECT_EQ(micros(A.Steps[0]), (Roles{100, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Steps, CommunicationIsTheOperationAndItsKernels) {
  TraceBuilder B;
  B.step("ProfilerStep#1", 0, 100)
      .op("nccl:all_reduce", 10, 10, 5)
      .runtime(12, 2, 1, 5)
      .kernel("reduce", 40, 20, 1)
      .kernel("ncclDevKernel_AllReduce", 70, 5, 2);
  B.Trace.Events[3].ExternalId = 5;
  StepAnalysis A = analyze(B);
  EXPECT_TRUE(A.HasCommunication);
  EXPECT_EQ(micros(A.Steps[0]), (Roles{0, 0, 0, 35, 0, 0, 0, 0, 65}));
}

TEST(Steps, WaitsAreOfTheStepsThread) {
  TraceBuilder B;
  B.step("ProfilerStep#1", 0, 100)
      .host(TraceKind::Annotation, "loopscope.wait: pop", 10, 30)
      .op("inside", 20, 10)
      .runtime(35, 10, 1)
      .host(TraceKind::Annotation, "loopscope.wait: push", 60, 30, 0, "2");
  StepAnalysis A = analyze(B);
  EXPECT_TRUE(A.HasWaits);
  EXPECT_EQ(micros(A.Steps[0]), (Roles{0, 0, 0, 0, 10, 0, 25, 0, 65}));
  // Without steps: the waits of the host thread that lasts longest.
  A = analyze(
      TraceBuilder()
          .host(TraceKind::Annotation, "loopscope.wait: a", 0, 10, 0, "2")
          .op("b", 0, 50)
          .host(TraceKind::Annotation, "loopscope.wait: c", 20, 5));
  EXPECT_EQ(micros(A.Steps[0]), (Roles{0, 0, 0, 0, 0, 0, 5, 45, 0}));
}

TEST(Steps, WithoutStepMarksTheRunIsStepZero) {
  StepAnalysis A = analyze(TraceBuilder().op("a", 10, 20).op("b", 50, 10));
  EXPECT_TRUE(A.NoStepMarks);
  EXPECT_FALSE(A.UsesGpu);
  ASSERT_EQ(A.Steps.size(), 1U);
  EXPECT_EQ(A.Steps[0].Name, "0");
  EXPECT_EQ(micros(A.Steps[0]), (Roles{0, 0, 0, 0, 0, 0, 0, 30, 20}));
}

// 0-40 half a block per SM, 20-60 another 0.75: the sum is capped at 1.
TEST(Steps, GpuUse) {
  StepAnalysis A = analyze(TraceBuilder()
                               .step("ProfilerStep#1", 0, 100)
                               .runtime(0, 1, 1)
                               .kernel("a", 0, 40, 1, 0.5, 50)
                               .runtime(1, 1, 2)
                               .kernel("b", 20, 40, 2, 0.75, 100));
  ASSERT_EQ(A.Gpus.size(), 1U);
  EXPECT_DOUBLE_EQ(A.Gpus[0].Utilization, 0.6);
  EXPECT_DOUBLE_EQ(A.Gpus[0].SmEfficiency, (20 * 0.5 + 20 + 20 * 0.75) / 100);
  EXPECT_DOUBLE_EQ(A.Gpus[0].Occupancy, 75);
}

// Of a whole graph, no kernel's blocks and occupancy are known: then neither
// figure is, whatever is known of kernels outside graphs.
TEST(Steps, GpuUseOfWholeGraphs) {
  StepAnalysis A =
      analyze(TraceBuilder()
                  .step("ProfilerStep#1", 0, 100)
                  .runtime(0, 1, 1)
                  .kernel("a", 0, 40, 1, 0.5, 50)
                  .runtime(1, 1, 2)
                  .kernel(LOOPSCOPE_GPU_WHOLE_GRAPH, 40, 40, 2, 0));
  ASSERT_EQ(A.Gpus.size(), 1U);
  EXPECT_DOUBLE_EQ(A.Gpus[0].Utilization, 0.8);
  EXPECT_LT(A.Gpus[0].SmEfficiency, 0);
  EXPECT_LT(A.Gpus[0].Occupancy, 0);
}

TEST(Steps, ShortKernels) {
  StepAnalysis A = analyze(TraceBuilder()
                               .runtime(0, 5, 1)
                               .kernel("short", 10, 4, 1)
                               .runtime(20, 5, 2)
                               .kernel("long", 30, 5, 2));
  EXPECT_EQ(A.LaunchedKernels, 2U);
  EXPECT_EQ(A.ShortKernels, 1U);
}
