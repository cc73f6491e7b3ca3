// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A millisecond in nanoseconds, for tests that make durations.

#ifndef LOOPSCOPE_UNIT_ANALYSIS_MILLISECONDS_H
#define LOOPSCOPE_UNIT_ANALYSIS_MILLISECONDS_H

#include <cstdint>

constexpr int64_t Ms = 1'000'000;
constexpr double RealMs = 1e6;

#endif // LOOPSCOPE_UNIT_ANALYSIS_MILLISECONDS_H
