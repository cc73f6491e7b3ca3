// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators: nesting, launches, merging, and the resulting rows.

#include "Analysis/Device/OperatorRows.h"
#include "TraceBuilder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

using namespace loopscope;

namespace {
struct Operators {
  HostCalls Calls;
  std::vector<OperatorRow> Rows;
  EventStream Trace;

  explicit Operators(const TraceBuilder &Builder) {
    Run Of;
    Of.Stream = Builder.read();
    Calls =
        buildHostCalls(Of.Stream, LaunchLinks(Of.Stream), CallKinds::Operators);
    Rows = addUpOperators(Of, Calls);
    Trace = std::move(Of.Stream);
  }

  OperatorRow operator[](std::string_view Name) const {
    for (const OperatorRow &Row : Rows)
      if (Row.Name == Name)
        return Row;
    return {};
  }
};

void expectRow(const OperatorRow &Row, uint64_t Calls, int64_t HostSelf,
               int64_t HostTotal, int64_t DeviceSelf, int64_t DeviceTotal) {
  EXPECT_EQ(Row.Calls, Calls);
  EXPECT_EQ(Row.HostSelf, HostSelf * 1000);
  EXPECT_EQ(Row.HostTotal, HostTotal * 1000);
  EXPECT_EQ(Row.DeviceSelf, DeviceSelf * 1000);
  EXPECT_EQ(Row.DeviceTotal, DeviceTotal * 1000);
}
} // namespace

// Self time excludes children and runtime calls; device time is that of a
// call's own launches, and the total adds its children's.
TEST(Operators, Times) {
  TraceBuilder B;
  B.op("linear", 0, 100, 1)
      .op("mm", 10, 50, 2)
      .runtime(20, 10, 7, 2)
      .kernel("gemm", 40, 200, 7)
      .op("add", 70, 20, 3)
      .runtime(75, 5, 8, 3)
      .kernel("add", 300, 30, 8)
      .runtime(95, 2, 9, 1)
      .device(TraceKind::Memset, "set", 400, 4, 9);
  Operators Ops(B);
  expectRow(Ops["linear"], 1, 100 - 50 - 20 - 2, 100, 4, 234);
  expectRow(Ops["mm"], 1, 40, 50, 200, 200);
  expectRow(Ops["add"], 1, 15, 20, 30, 30);
}

// Rows are in the order in which operators first end.
TEST(Operators, ChildrenComeFirst) {
  TraceBuilder B;
  B.op("outer", 0, 100).op("inner", 10, 10).op("last", 200, 10);
  Operators Ops(B);
  ASSERT_EQ(Ops.Rows.size(), 3U);
  EXPECT_EQ(Ops.Rows[0].Name, "inner");
  EXPECT_EQ(Ops.Rows[1].Name, "outer");
}

// A call that contains only a call of the same name counts as one call.
TEST(Operators, SingleChildrenOfTheSameNameAreMerged) {
  TraceBuilder B;
  B.op("to", 0, 100, 1)
      .op("to", 10, 80, 2)
      .op("to", 20, 60, 3)
      .op("copy", 30, 40, 4)
      .runtime(35, 5, 7, 3)
      .kernel("k", 50, 9, 7);
  Operators Ops(B);
  expectRow(Ops["to"], 1, 100 - 40 - 5, 100, 9, 9);
  expectRow(Ops["copy"], 1, 40, 40, 0, 0);

  B = TraceBuilder();
  B.op("f", 0, 100).op("f", 10, 20).op("f", 40, 20);
  expectRow(Operators(B)["f"], 3, 100, 140, 0, 0);
}

TEST(Operators, ThreadsNestSeparately) {
  TraceBuilder B;
  B.op("a", 0, 100).host(TraceKind::Operator, "b", 10, 20, 0, "2");
  expectRow(Operators(B)["a"], 1, 100, 100, 0, 0);
}

TEST(Operators, StepsLoadersAndOptimizersHaveNoRows) {
  TraceBuilder B;
  B.step("ProfilerStep#1", 0, 100)
      .op("enumerate(DataLoader)#_Single.__next__", 0, 10)
      .op("Optimizer.step#SGD.step", 20, 30)
      .op("aten::add_", 25, 5);
  Operators Ops(B);
  ASSERT_EQ(Ops.Rows.size(), 1U);
  expectRow(Ops["aten::add_"], 1, 5, 5, 0, 0);
}

// Of two operators that overlap without nesting, the one that loses less is
// cut: the inner one at the outer one's end, or the earlier one at the later
// one's start.
TEST(Operators, OverlapWithoutNestingIsCut) {
  TraceBuilder B;
  B.op("a", 0, 100).op("b", 50, 60).op("c", 200, 100).op("d", 299, 100);
  Operators Ops(B);
  EXPECT_EQ(Ops.Calls.Overlapping, 2U);
  EXPECT_EQ(Ops.Calls.CutNs, 11'000); // 10 of b, 1 of c
  expectRow(Ops["a"], 1, 50, 100, 0, 0);
  expectRow(Ops["b"], 1, 50, 50, 0, 0);
  expectRow(Ops["c"], 1, 99, 99, 0, 0);
  expectRow(Ops["d"], 1, 100, 100, 0, 0);
}

// However calls lie, what they lost is what their times lack, and so much is
// cut that they nest.
TEST(Operators, WhatIsCutIsWhatTimesLack) {
  std::mt19937 Random(1);
  auto Below = [&](int Most) { return static_cast<int>(Random() % Most); };
  for (int Case = 0; Case < 200; ++Case) {
    TraceBuilder B;
    for (int I = Below(30) + 2; I > 0; --I)
      B.op("op" + std::to_string(I), Below(100), Below(50));
    Operators Ops(B);
    int64_t Lacks = 0;
    uint64_t Shorter = 0;
    for (const HostCall &Each : Ops.Calls.Calls) {
      int64_t Ns = Ops.Trace.Events[Each.Event].Duration - Each.HostTotal;
      Lacks += Ns;
      Shorter += Ns != 0;
      if (Each.Parent == HostCall::None)
        continue;
      const HostCall &Around = Ops.Calls.Calls[Each.Parent];
      EXPECT_LE(Around.Start, Each.Start);
      EXPECT_GE(Around.end(), Each.end());
    }
    EXPECT_EQ(Ops.Calls.CutNs, Lacks) << "case " << Case;
    EXPECT_EQ(Ops.Calls.Overlapping, Shorter) << "case " << Case;
  }
}

// A step contains nothing, so an operator may outlast it.
TEST(Operators, StepsCutNothing) {
  TraceBuilder B;
  B.step("ProfilerStep#1", 0, 100)
      .op("outer", 50, 100)
      .op("inner", 60, 80)
      .step("ProfilerStep#2", 100, 100);
  Operators Ops(B);
  EXPECT_EQ(Ops.Calls.Overlapping, 0U);
  expectRow(Ops["outer"], 1, 20, 100, 0, 0);
  expectRow(Ops["inner"], 1, 80, 80, 0, 0);
}

TEST(Operators, LaunchesOutsideOperatorsAreCounted) {
  TraceBuilder B;
  B.op("a", 0, 10, 1).runtime(20, 5, 3, 99).kernel("k", 30, 6, 3);
  Operators Ops(B);
  EXPECT_EQ(Ops.Calls.UnownedRuntimes, 1U);
  EXPECT_EQ(Ops.Calls.UnownedDeviceTime, 6000);
}
