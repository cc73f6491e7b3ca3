// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of ticks to nanoseconds.

#include "Run/Read/Clock.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
loopscope_profile_header tscHeader() {
  loopscope_profile_header H{};
  H.clock_kind = LOOPSCOPE_CLOCK_TSC;
  H.nominal_hz = 2'000'000'000;
  return H;
}
} // namespace

TEST(Clock, MonotonicTicksAreNanoseconds) {
  loopscope_profile_header H{};
  H.clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
  EXPECT_EQ(Clock(H).toNs(123456789), 123456789);
}

TEST(Clock, NominalRateUntilCalibrated) {
  loopscope_profile_header H = tscHeader();
  H.last_ticks = 1'000'000; // less than 10 ms
  H.last_ns = 999;
  EXPECT_EQ(Clock(H).toNs(2'000'000'001), 1'000'000'000);
}

TEST(Clock, CalibrationRoundsDown) {
  loopscope_profile_header H = tscHeader();
  H.last_ticks = 30'000'000;
  H.last_ns = 10'000'000;
  EXPECT_EQ(Clock(H).toNs(2), 0);
  EXPECT_EQ(Clock(H).toNs(3), 1);
  EXPECT_DOUBLE_EQ(Clock(H).nsPerTick(), 1.0 / 3);
}

TEST(Clock, NothingOverflows) {
  loopscope_profile_header H = tscHeader();
  H.last_ticks = 1;
  H.last_ns = UINT64_MAX;
  EXPECT_EQ(Clock(H).toNs(UINT64_MAX), INT64_MAX);
}

TEST(Clock, WithoutARateTicksAreNanoseconds) {
  loopscope_profile_header H{};
  H.clock_kind = LOOPSCOPE_CLOCK_TSC;
  EXPECT_EQ(Clock(H).toNs(7), 7);
}
