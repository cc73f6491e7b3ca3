// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device sampler reads from /proc, and its sums in the profile.

#include "Fixture.h"

#include "core/profile_file.h"
#include "core/threads.h"
#include "devices/host.h"
#include "devices/metrics.h"

#include <cmath>

using namespace loopscope::runtime;

namespace {
TEST(Devices, ProcessorTimes) {
  CpuTimes Times;
  ASSERT_TRUE(
      parseCpuTimes("cpu  100 20 30 400 50 6 7 8 9 10\ncpu0 1 2 3 4\n", Times));
  // Guests (9, 10) are in user and nice already.
  EXPECT_EQ(Times.Total, 100U + 20 + 30 + 400 + 50 + 6 + 7 + 8);
  EXPECT_EQ(Times.Busy, 100U + 20 + 30 + 6 + 7 + 8);
  ASSERT_TRUE(parseCpuTimes("cpu 1 2 3 4", Times)); // as old as Linux 2.4
  EXPECT_EQ(Times.Total, 10U);
  EXPECT_EQ(Times.Busy, 6U);
}

TEST(Devices, ProcessorTimesThatAreNone) {
  CpuTimes Times;
  EXPECT_FALSE(parseCpuTimes("", Times));
  EXPECT_FALSE(parseCpuTimes("cpu0 1 2 3 4", Times));
  EXPECT_FALSE(parseCpuTimes("cpu 1 2 3", Times));
  EXPECT_FALSE(parseCpuTimes("cpu -1 2 3 4", Times));
}

TEST(Devices, HostMemory) {
  HostMemory Memory;
  ASSERT_TRUE(parseHostMemory("MemTotal:       1000 kB\nMemFree: 1 kB\n"
                              "MemAvailable:    250 kB\nSwapCached: 0 kB\n"
                              "SwapTotal:       400 kB\nSwapFree: 100 kB\n",
                              Memory));
  EXPECT_EQ(Memory.Total, 1000U);
  EXPECT_EQ(Memory.Available, 250U);
  EXPECT_EQ(Memory.SwapTotal, 400U);
  EXPECT_EQ(Memory.SwapFree, 100U);
}

TEST(Devices, HostMemoryThatIsNone) {
  HostMemory Memory;
  EXPECT_FALSE(parseHostMemory("", Memory));
  EXPECT_FALSE(parseHostMemory("MemTotal: 1000 kB\nSwapTotal: 0 kB\n"
                               "SwapFree: 0 kB\n",
                               Memory)); // no MemAvailable
  EXPECT_FALSE(parseHostMemory("MemTotal: 1000 kB\nMemAvailable: 2000 kB\n"
                               "SwapTotal: 0 kB\nSwapFree: 0 kB\n",
                               Memory));
}

TEST(Devices, ProcessState) {
  ProcessState Process;
  ASSERT_TRUE(parseProcessState(
      "4711 (a) R (b) S 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 42 0 123456 "
      "8192000 2000 18446744073709551615 1 1\n",
      Process));
  EXPECT_EQ(Process.State, 'S');
  EXPECT_EQ(Process.Threads, 42U);
  EXPECT_EQ(Process.ResidentPages, 2000U);
}

TEST(Devices, ProcessStateThatIsNone) {
  ProcessState Process;
  EXPECT_FALSE(parseProcessState("", Process));
  EXPECT_FALSE(parseProcessState("4711 (a)", Process));
  EXPECT_FALSE(parseProcessState("4711 (a) S 1 2 3", Process));
  EXPECT_FALSE(parseProcessState("4711 (a) S x", Process));
}

TEST(Devices, ThisProcess) {
  HostReader Host;
  Reading Readings[HostMetricCount];
  Host.readProcess(Readings);
  EXPECT_FALSE(Readings[ProcessCpuPercent].Known); // needs a time between
  EXPECT_FALSE(Host.mainThreadEnded());
  volatile double Sink = 1;
  for (int I = 0; I < 3000000; ++I)
    Sink = std::sqrt(Sink + I);
  Host.readProcess(Readings);
  ASSERT_TRUE(Readings[ProcessCpuPercent].Known);
  EXPECT_GT(Readings[ProcessCpuPercent].Value, 0);
  if (Host.hasProc()) {
    EXPECT_GT(Readings[ProcessRss].Value, 100e3);
  }
}

class MetricsTest : public RuntimeTest {
protected:
  // The chunks' entries that are published.
  template <typename T> std::vector<T> published(loopscope_chunk_type Type) {
    std::vector<T> Result;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
      if (C->type == Type)
        Result.insert(Result.end(), reinterpret_cast<T *>(entries(C)),
                      reinterpret_cast<T *>(entries(C)) + C->used);
    return Result;
  }
};

TEST_F(MetricsTest, SumsByMetricAndNode) {
  loopscope_leave(loopscope_enter(site("work")));
  uint32_t A = addMetric({"a", LOOPSCOPE_UNIT_PERCENT}, LOOPSCOPE_NONE, "");
  uint32_t B = addMetric({"b", LOOPSCOPE_UNIT_WATTS}, 3, "A GPU");
  ASSERT_EQ(A, 0U);
  ASSERT_EQ(B, 1U);
  EXPECT_TRUE(addSample(A, 7, 10));
  EXPECT_TRUE(addSample(A, 7, -2));
  EXPECT_TRUE(addSample(B, 7, 5));
  EXPECT_TRUE(addSample(A, LOOPSCOPE_NONE, 1));
  auto Metrics = published<loopscope_metric>(LOOPSCOPE_CHUNK_METRICS);
  ASSERT_EQ(Metrics.size(), 2U);
  EXPECT_EQ(Metrics[1].device, 3U);
  EXPECT_EQ(Metrics[1].unit, uint32_t(LOOPSCOPE_UNIT_WATTS));
  EXPECT_EQ(Metrics[1].name.length, 1U);
  EXPECT_EQ(Metrics[1].device_name.length, 5U);
  auto Sums = published<loopscope_metric_sum>(LOOPSCOPE_CHUNK_METRIC_SUMS);
  ASSERT_EQ(Sums.size(), 3U);
  EXPECT_EQ(Sums[0].count, 2U);
  EXPECT_EQ(Sums[0].sum, 8);
  EXPECT_EQ(Sums[0].min, -2);
  EXPECT_EQ(Sums[0].max, 10);
  EXPECT_EQ(Sums[0].last, -2);
  EXPECT_EQ(Sums[0].sequence % 2, 0U);
  EXPECT_EQ(Sums[1].metric, B);
  EXPECT_EQ(Sums[2].node, LOOPSCOPE_NONE);
}

TEST_F(MetricsTest, ManyCallPaths) {
  loopscope_leave(loopscope_enter(site("work")));
  for (int Round = 0; Round < 2; ++Round)
    for (uint32_t Node = 0; Node < 3000; ++Node)
      for (uint32_t Metric = 0; Metric < 3; ++Metric)
        ASSERT_TRUE(addSample(Metric, Node, Node + Metric));
  auto Sums = published<loopscope_metric_sum>(LOOPSCOPE_CHUNK_METRIC_SUMS);
  ASSERT_EQ(Sums.size(), 9000U);
  for (const loopscope_metric_sum &S : Sums) {
    EXPECT_EQ(S.count, 2U);
    EXPECT_EQ(S.sum, 2.0 * (S.node + S.metric));
  }
}

TEST_F(MetricsTest, TheMainThreadsInnermostNode) {
  // The test's thread is the process's main thread.
  EXPECT_EQ(mainThreadNode(), LOOPSCOPE_NONE);
  loopscope_token OuterSpan = loopscope_enter(site("outer"));
  Node *Outer = links(ThisThread.Tree).Current;
  EXPECT_EQ(mainThreadNode(), Outer->index);
  loopscope_token InnerSpan = loopscope_enter(site("inner"));
  Node *Inner = links(ThisThread.Tree).Current;
  EXPECT_EQ(mainThreadNode(), Inner->index);
  loopscope_leave(InnerSpan);
  loopscope_leave(OuterSpan);
  EXPECT_EQ(mainThreadNode(), ThisThread.Tree->root);
}
} // namespace
