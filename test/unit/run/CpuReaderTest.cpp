// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor times of profiles that were killed while one was being written.

#include "Run/Read/CpuReader.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
// The processor times of a node whose last span took 10 ns. A tick is a
// nanosecond.
CpuSums read(const std::vector<NodeSum> &Sums, Integrity &Lost) {
  loopscope_profile_header H{};
  H.clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
  Run R;
  R.Nodes.resize(1);
  readCpu({{}, Sums}, {10}, Clock(H), R);
  Lost = R.Lost;
  return R.Nodes[0].Cpu;
}

NodeSum ticks(const char *Key, uint64_t Count, uint64_t Sum) {
  return {Key, 0, LOOPSCOPE_SUM_TICKS, Count, Sum};
}
NodeSum ns(const char *Key, uint64_t Count, uint64_t Sum) {
  return {Key, 0, LOOPSCOPE_SUM_NS, Count, Sum};
}
} // namespace

TEST(CpuReader, WholeSums) {
  Integrity Lost;
  CpuSums Found = read({ticks(LOOPSCOPE_SUM_CPU_WALL, 3, 40),
                        ns(LOOPSCOPE_SUM_CPU_TIME, 3, 25),
                        ticks(LOOPSCOPE_SUM_CPU_STARVED_WALL, 2, 30),
                        ns(LOOPSCOPE_SUM_CPU_STARVED, 2, 5),
                        ns(LOOPSCOPE_SUM_CPU_OTHERS, 1, 70)},
                       Lost);
  EXPECT_EQ(Found.OthersNs, 70);
  EXPECT_EQ(Found.MeasuredNs, 40);
  EXPECT_EQ(Found.CpuNs, 25);
  EXPECT_EQ(Found.StarvedOfNs, 30);
  EXPECT_EQ(Found.StarvedNs, 5);
  EXPECT_EQ(Lost.TornNodes, 0U);
}

// The wall time is written first.
TEST(CpuReader, ASpanWithoutItsProcessorTimeIsLeftOut) {
  Integrity Lost;
  CpuSums Found = read(
      {ticks(LOOPSCOPE_SUM_CPU_WALL, 3, 40), ns(LOOPSCOPE_SUM_CPU_TIME, 2, 25)},
      Lost);
  EXPECT_EQ(Found.MeasuredNs, 30);
  EXPECT_EQ(Found.CpuNs, 25);
  EXPECT_EQ(Lost.TornNodes, 1U);
  EXPECT_EQ(Lost.BadRecords, 0U);
}

TEST(CpuReader, ASpanWithoutItsTimeOnTheRunQueueIsLeftOut) {
  Integrity Lost;
  CpuSums Found = read({ticks(LOOPSCOPE_SUM_CPU_WALL, 3, 40),
                        ns(LOOPSCOPE_SUM_CPU_TIME, 3, 25),
                        ticks(LOOPSCOPE_SUM_CPU_STARVED_WALL, 3, 40),
                        ns(LOOPSCOPE_SUM_CPU_STARVED, 2, 5)},
                       Lost);
  EXPECT_EQ(Found.MeasuredNs, 40);
  EXPECT_EQ(Found.StarvedOfNs, 30);
  EXPECT_EQ(Found.StarvedNs, 5);
  EXPECT_EQ(Lost.TornNodes, 1U);
}

TEST(CpuReader, SumsOfDifferentSpansAreDamaged) {
  Integrity Lost;
  CpuSums Found = read(
      {ticks(LOOPSCOPE_SUM_CPU_WALL, 4, 40), ns(LOOPSCOPE_SUM_CPU_TIME, 2, 25)},
      Lost);
  EXPECT_EQ(Found.MeasuredNs, 0);
  EXPECT_EQ(Found.CpuNs, 0);
  EXPECT_EQ(Lost.BadRecords, 1U);
}
