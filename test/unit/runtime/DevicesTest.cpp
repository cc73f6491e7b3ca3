// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device sampler reads from /proc, and its sums in the profile.

#include "Fixture.h"

#include "base/thread_memory.h"
#include "devices/host.h"
#include "devices/limits.h"
#include "devices/metrics.h"
#include "process/facts.h"
#include "profile/chunks.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "tree/threads.h"

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace loopscope::runtime;

namespace {
TEST(Devices, ProcessorTimes) {
  CpuTimes Times;
  ASSERT_TRUE(
      parseCpuTimes("cpu  100 20 30 400 50 6 7 8 9 10\ncpu0 1 2 3 4\n", Times));
  // Guest times (9, 10) are already part of user and nice.
  EXPECT_EQ(Times.Total, 100U + 20 + 30 + 400 + 50 + 6 + 7 + 8);
  EXPECT_EQ(Times.Busy, 100U + 20 + 30 + 6 + 7 + 8);
  ASSERT_TRUE(parseCpuTimes("cpu 1 2 3 4", Times)); // the format of Linux 2.4
  EXPECT_EQ(Times.Total, 10U);
  EXPECT_EQ(Times.Busy, 6U);
}

TEST(Devices, InvalidProcessorTimes) {
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

TEST(Devices, InvalidHostMemory) {
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
  EXPECT_EQ(Process.ExitCode, 0);
}

TEST(Devices, EndedProcessState) {
  ProcessState Process;
  ASSERT_TRUE(parseProcessState(
      "4711 (a) Z 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 2 0 123456 0 0 "
      "18446744073709551615 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 "
      "43 44 45 46 47 48 49 50 51 1792\n",
      Process));
  EXPECT_EQ(Process.State, 'Z');
  EXPECT_EQ(Process.ExitCode, 7);
}

TEST(Devices, InvalidProcessState) {
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
  EXPECT_FALSE(Readings[ProcessCpuPercent].Known); // needs two readings
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

TEST(Limits, QuotaOfBothVersions) {
  QuotaUse Use;
  ASSERT_TRUE(parseQuotaUse("nr_periods 100\nnr_throttled 40\n"
                            "throttled_time 2500000\n",
                            Use));
  EXPECT_EQ(Use.Periods, 100U);
  EXPECT_EQ(Use.Throttled, 40U);
  EXPECT_EQ(Use.ThrottledNs, 2500000U);
  ASSERT_TRUE(parseQuotaUse("usage_usec 9\nuser_usec 8\nsystem_usec 1\n"
                            "nr_periods 7\nnr_throttled 3\n"
                            "throttled_usec 2500\nnr_bursts 0\n",
                            Use));
  EXPECT_EQ(Use.Throttled, 3U);
  EXPECT_EQ(Use.ThrottledNs, 2500000U);
}

TEST(Limits, NoQuota) {
  QuotaUse Use;
  EXPECT_FALSE(parseQuotaUse("", Use));
  EXPECT_FALSE(parseQuotaUse("usage_usec 9\nuser_usec 8\n", Use));
  EXPECT_FALSE(
      parseQuotaUse("nr_periods 0\nnr_throttled 0\nthrottled_time 0\n", Use));
  EXPECT_FALSE(parseQuotaUse("nr_periods 1\nnr_throttled 1\n", Use));
}

TEST(Limits, PressureTotals) {
  Pressure P;
  ASSERT_TRUE(
      parsePressure("some avg10=1.00 avg60=2.00 avg300=3.00 total=4000\n"
                    "full avg10=0.00 avg60=0.00 avg300=0.00 total=500\n",
                    P));
  EXPECT_EQ(P.SomeUs, 4000U);
  EXPECT_EQ(P.FullUs, 500U);
  EXPECT_FALSE(parsePressure("", P));
  EXPECT_FALSE(parsePressure("some avg10=1.00\nfull total=1\n", P));
}

TEST(Limits, GroupsOfBothVersions) {
  GroupPlace Place;
  ASSERT_TRUE(parseGroups("5:memory:/m\n4:cpuset:/s\n3:cpu,cpuacct:/a/b\n"
                          "0::/unified\n",
                          Place));
  EXPECT_STREQ(Place.Base, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_STREQ(Place.Path, "/a/b");
  ASSERT_TRUE(parseGroups("1:cpu:/\n0::/\n", Place));
  EXPECT_STREQ(Place.Base, "/sys/fs/cgroup/cpu");
  EXPECT_STREQ(Place.Path, "");
  ASSERT_TRUE(parseGroups("0::/user.slice/a", Place));
  EXPECT_STREQ(Place.Base, "/sys/fs/cgroup");
  EXPECT_STREQ(Place.Path, "/user.slice/a");
  EXPECT_FALSE(parseGroups("", Place));
  EXPECT_FALSE(parseGroups("4:cpuset:/s\n", Place));
  EXPECT_FALSE(parseGroups("nonsense", Place));
}

// A stand-in for "/".
class LimitsTest : public testing::Test {
protected:
  LimitsTest() {
    std::string Template = testing::TempDir() + "limitsXXXXXX";
    Root = mkdtemp(Template.data());
  }
  ~LimitsTest() override { std::filesystem::remove_all(Root); }

  void put(const std::string &Path, const std::string &Text) const {
    std::filesystem::path File = Root + Path;
    std::filesystem::create_directories(File.parent_path());
    std::ofstream(File) << Text;
  }
  void putQuota(const std::string &Path, unsigned Periods, unsigned Throttled,
                unsigned Us) const {
    put(Path, "usage_usec 1\nnr_periods " + std::to_string(Periods) +
                  "\nnr_throttled " + std::to_string(Throttled) +
                  "\nthrottled_usec " + std::to_string(Us) + "\n");
  }

  static constexpr uint64_t Second = 1000000000;
  std::string Root;
  Reading Into[HostMetricCount];
};

TEST_F(LimitsTest, ParentGroupsCount) {
  LimitsReader Reader(Root.c_str());
  put("/proc/self/cgroup", "0::/outer/inner\n");
  put("/sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
  putQuota("/sys/fs/cgroup/outer/cpu.stat", 100, 10, 1000000);
  putQuota("/sys/fs/cgroup/outer/inner/cpu.stat", 50, 0, 0);
  Reader.readThrottling(Second, Into);
  EXPECT_FALSE(Into[CpuThrottledPercent].Known); // needs two readings
  putQuota("/sys/fs/cgroup/outer/cpu.stat", 120, 15, 1500000);
  putQuota("/sys/fs/cgroup/outer/inner/cpu.stat", 60, 1, 250000);
  Reader.readThrottling(3 * Second, Into);
  ASSERT_TRUE(Into[CpuThrottledPercent].Known);
  EXPECT_DOUBLE_EQ(Into[CpuThrottledPercent].Value, 37.5); // 0.75 of 2 s
  EXPECT_DOUBLE_EQ(Into[CpuThrottledPeriods].Value, 25);   // 5 of 20
}

TEST_F(LimitsTest, VersionOne) {
  LimitsReader Reader(Root.c_str());
  put("/proc/self/cgroup", "2:cpu,cpuacct:/job\n0::/\n");
  std::string File = "/sys/fs/cgroup/cpu,cpuacct/job/cpu.stat";
  put(File, "nr_periods 10\nnr_throttled 0\nthrottled_time 0\n");
  Reader.readThrottling(Second, Into);
  put(File, "nr_periods 20\nnr_throttled 10\nthrottled_time 1000000000\n");
  Reader.readThrottling(2 * Second, Into);
  EXPECT_DOUBLE_EQ(Into[CpuThrottledPercent].Value, 100);
  EXPECT_DOUBLE_EQ(Into[CpuThrottledPeriods].Value, 100);
}

TEST_F(LimitsTest, NothingIsKnownWithoutQuotaOrGroups) {
  LimitsReader Reader(Root.c_str());
  for (uint64_t S = 1; S < 4; ++S)
    Reader.readThrottling(S * Second, Into);
  EXPECT_FALSE(Into[CpuThrottledPercent].Known);
  put("/proc/self/cgroup", "0::/\n");
  put("/sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
  for (uint64_t S = 4; S < 7; ++S)
    Reader.readThrottling(S * Second, Into);
  EXPECT_FALSE(Into[CpuThrottledPercent].Known);
  EXPECT_FALSE(Into[CpuThrottledPeriods].Known);
  Reader.readPressure(Second, Into);
  Reader.readPressure(2 * Second, Into);
  EXPECT_FALSE(Into[MemoryPressureSome].Known);
}

// The other group's throttling isn't counted for this one.
TEST_F(LimitsTest, AfterAMoveCountsStartAnew) {
  LimitsReader Reader(Root.c_str());
  put("/proc/self/cgroup", "0::/one\n");
  putQuota("/sys/fs/cgroup/one/cpu.stat", 10, 1, 100);
  putQuota("/sys/fs/cgroup/two/cpu.stat", 1000, 900, 90000000);
  Reader.readThrottling(Second, Into);
  put("/proc/self/cgroup", "0::/two\n");
  Reader.readThrottling(2 * Second, Into);
  EXPECT_FALSE(Into[CpuThrottledPercent].Known);
  Reader.readThrottling(3 * Second, Into);
  ASSERT_TRUE(Into[CpuThrottledPercent].Known);
  EXPECT_DOUBLE_EQ(Into[CpuThrottledPercent].Value, 0);
}

static std::string pressureText(unsigned Some, unsigned Full) {
  return "some avg10=0.00 avg60=0.00 avg300=0.00 total=" +
         std::to_string(Some) +
         "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=" +
         std::to_string(Full) + "\n";
}

// Nor is the other group's memory pressure.
TEST_F(LimitsTest, AfterAMovePressureStartsAnew) {
  LimitsReader Reader(Root.c_str());
  put("/proc/self/cgroup", "0::/one\n");
  put("/sys/fs/cgroup/one/memory.pressure", pressureText(1000, 0));
  put("/sys/fs/cgroup/two/memory.pressure", pressureText(401000, 200000));
  Reader.readPressure(Second, Into);
  put("/proc/self/cgroup", "0::/two\n");
  Reader.readPressure(2 * Second, Into);
  EXPECT_FALSE(Into[MemoryPressureSome].Known);
  EXPECT_FALSE(Into[MemoryPressureFull].Known);
  put("/sys/fs/cgroup/two/memory.pressure", pressureText(501000, 250000));
  Reader.readPressure(3 * Second, Into);
  EXPECT_DOUBLE_EQ(Into[MemoryPressureSome].Value, 10);
  EXPECT_DOUBLE_EQ(Into[MemoryPressureFull].Value, 5);
}

TEST_F(LimitsTest, PressureOfTheGroupElseOfTheHost) {
  LimitsReader Reader(Root.c_str());
  put("/proc/pressure/memory", pressureText(1000, 0));
  Reader.readPressure(Second, Into);
  put("/proc/pressure/memory", pressureText(501000, 100000));
  Reader.readPressure(2 * Second, Into);
  EXPECT_DOUBLE_EQ(Into[MemoryPressureSome].Value, 50);
  EXPECT_DOUBLE_EQ(Into[MemoryPressureFull].Value, 10);
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/memory.pressure", pressureText(900000, 900000));
  Reading OfGroup[HostMetricCount];
  Reader.readPressure(3 * Second, OfGroup);
  EXPECT_FALSE(OfGroup[MemoryPressureSome].Known); // before, it was the host's
  put("/sys/fs/cgroup/job/memory.pressure", pressureText(1000000, 950000));
  Reader.readPressure(4 * Second, OfGroup);
  EXPECT_DOUBLE_EQ(OfGroup[MemoryPressureSome].Value, 10);
  EXPECT_DOUBLE_EQ(OfGroup[MemoryPressureFull].Value, 5);
}

class MetricsTest : public RuntimeTest {
protected:
  // The published entries of the chunks.
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
  EXPECT_EQ(standInNode(), LOOPSCOPE_NONE);
  loopscope_token OuterSpan = loopscope_enter(site("outer"));
  Node *Outer = links(ThisThread.Memory->Tree).Current;
  EXPECT_EQ(standInNode(), Outer->index);
  loopscope_token InnerSpan = loopscope_enter(site("inner"));
  Node *Inner = links(ThisThread.Memory->Tree).Current;
  EXPECT_EQ(standInNode(), Inner->index);
  loopscope_leave(InnerSpan);
  loopscope_leave(OuterSpan);
  EXPECT_EQ(standInNode(), ThisThread.Memory->Tree->root);
}
} // namespace
