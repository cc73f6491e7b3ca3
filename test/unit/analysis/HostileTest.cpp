// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Damaged or hostile profiles may have times up to the limits of their types.
// Each of these sums overflowed once, as fuzzing found; a negative sum shows it
// even without a sanitizer.

#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Steps/TimelineEvents.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Analysis/Tree/PathTree.h"
#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/Verdict.h"
#include "DescribedRun.h"
#include "Report/Views/BuildSection.h"
#include "Run/Model/LaunchLinks.h"

#include <gtest/gtest.h>

#include <limits>

using namespace loopscope;

namespace loopscope {
extern const View OperatorsView;
} // namespace loopscope

namespace {
constexpr int64_t Max = std::numeric_limits<int64_t>::max();
// Twice this exceeds int64_t.
constexpr int64_t Long = Max / 3 * 2;

TraceEvent event(EventStream &Trace, TraceKind Kind, const char *Name,
                 int64_t Start, int64_t Duration, uint64_t Correlation = 0) {
  TraceEvent E;
  E.Kind = Kind;
  E.Name = Trace.Strings.intern(Name);
  E.Start = Start;
  E.Duration = Duration;
  E.Correlation = Correlation;
  return E;
}

const Row *rowNamed(const Table &T, const std::string &Name) {
  for (const Row &R : T.Rows)
    if (const auto *Text = std::get_if<std::string>(&R.Cells[0].Value);
        Text && *Text == Name)
      return &R;
  return nullptr;
}
} // namespace

TEST(Hostile, TreeKeepsItsRest) {
  // The root's own time is the maximum; the hooks' time is added to it.
  loopscope::Run R =
      describedRun("wall 10s\nhook 10 10\nthread main\n  phase a spans=1s\n",
                   WithTimeline::Yes);
  ASSERT_EQ(R.Nodes.size(), 2U);
  R.Nodes[0].InclusiveNs = R.Nodes[0].SelfNs = Max;
  R.Nodes[0].HookNs = 1;
  Result<Section> S = buildSection(R, TreeView, {});
  ASSERT_TRUE(S);
  ASSERT_FALSE(S->Tables.empty());
  const Row *Rest = rowNamed(S->Tables[0], "(unaccounted)");
  ASSERT_NE(Rest, nullptr);
  EXPECT_EQ(std::get<Nanoseconds>(Rest->Cells[1].Value).Count, Max);
}

TEST(Hostile, OperatorsWithExtremeTimes) {
  Figures Of;
  Of.Operators.resize(2);
  for (OperatorRow &Each : Of.Operators) {
    Each.Calls = 1;
    Each.HostSelf = Each.HostTotal = Each.DeviceSelf = Each.DeviceTotal = Long;
  }
  Of.Operators[0].Name = "a";
  Of.Operators[1].Name = "b";
  Result<std::vector<Table>> Tables = OperatorsView.OfFigures(Of, {});
  ASSERT_TRUE(Tables);
  const Table &T = Tables->front();
  // 2^63 ns.
  EXPECT_EQ(T.Notes,
            (std::vector<std::string>{"Self CPU time total: 9223372037 s",
                                      "Self CUDA time total: 9223372037 s"}));
}

TEST(Hostile, VerdictOfManyDevices) {
  loopscope::Run R =
      describedRun("wall 10s\nthread main\n  train t spans=9s\n"
                   "    step spans=10x900ms\n      draw spans=10x100ms\n"
                   "      batch spans=10x800ms\n"
                   "gpu on\n"
                   "device 0 A busy=1s kernels=1s\n"
                   "device 1 B busy=1s kernels=1s\n",
                   WithTimeline::Yes);
  for (Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP)
      N.InclusiveNs = Long;
  StepTime F = stepTimeOfSums(R);
  EXPECT_EQ(F.HostNs, Long);
  EXPECT_GT(F.DeviceNs, Long);
}

TEST(Hostile, StepsWithExtremeTimes) {
  EventStream Trace;
  Trace.Devices.emplace_back();
  Trace.Tracks.push_back({0, Trace.Strings.intern("1")});
  for (const char *Name : {"ProfilerStep#1", "ProfilerStep#2"})
    Trace.Events.push_back(event(Trace, TraceKind::Step, Name, 0, Long));
  StepAnalysis A = analyzeSteps(Trace, LaunchLinks(Trace));
  ASSERT_EQ(A.Steps.size(), 2U);
  EXPECT_EQ(A.AverageStep, static_cast<double>(Max) / 2);
  EXPECT_EQ(A.AverageRoles[static_cast<size_t>(TimeRole::Other)],
            static_cast<double>(Max) / 2);
}

TEST(Hostile, DeviceTimeOfOneLaunch) {
  EventStream Trace;
  Trace.Devices.resize(2);
  Trace.Tracks.push_back({0, Trace.Strings.intern("1")});
  Trace.Events.push_back(
      event(Trace, TraceKind::Runtime, "cudaGraphLaunch", 0, 1, 7));
  for (int I = 0; I < 2; ++I) {
    Trace.Events.push_back(event(Trace, TraceKind::Kernel, "k", 2, Long, 7));
    Trace.Events.back().Device = 1;
  }
  LaunchLinks Links(Trace);
  ASSERT_EQ(Links.runtimes().size(), 1U);
  EXPECT_EQ(Links.deviceTimeOf(0), Max);
}

// Timelines keep times small enough that sums of a few don't overflow.
TEST(Hostile, TimelineWithExtremeTimes) {
  loopscope::Run R =
      describedRun("wall 10s\nthread main\n  phase a spans=1s at=0s+1s\n"
                   "gpu on\ndevice 0 A\n"
                   "event kernel a k at=1s for=1s correlation=1\n"
                   "event kernel a k at=2s for=1s correlation=2\n",
                   WithTimeline::Yes);
  ASSERT_EQ(R.Gpu.Events.size(), 2U);
  R.Gpu.Events[0].StartNs = std::numeric_limits<int64_t>::min();
  R.Gpu.Events[0].EndNs = Max;
  R.Gpu.Events[1].StartNs = Max;
  R.Gpu.Events[1].EndNs = std::numeric_limits<int64_t>::min();
  EventStream Stream = eventsOf(R);
  ASSERT_EQ(Stream.Events.size(), 3U);
  for (const TraceEvent &E : Stream.Events) {
    EXPECT_GE(E.Start, 0);
    EXPECT_GE(E.Duration, 0);
    EXPECT_LE(E.Start, Max / 4 - E.Duration);
  }
}

TEST(Hostile, AdviceOnExtremeTimes) {
  Figures Of;
  Of.About.By = &PyTorchProfiler;
  Of.About.Properties.emplace_back();
  Of.About.Properties[0].ComputeMajor = 9;
  Of.Operators.resize(2);
  for (OperatorRow &Each : Of.Operators) {
    Each.Name = "aten::mm";
    Each.DeviceSelf = Long;
  }
  std::vector<Advice> Found = advise(Of);
  ASSERT_FALSE(Found.empty());
  EXPECT_EQ(Found.back().Rule, "tensor_cores");
  EXPECT_EQ(Found.back().Figure, static_cast<double>(Max) / 1e9);
}
