// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's clocks.

#ifndef LOOPSCOPE_BASE_KERNEL_TIME_H
#define LOOPSCOPE_BASE_KERNEL_TIME_H

#include <stdint.h>

namespace loopscope::runtime {

constexpr uint64_t NsPerMs = 1000000;
constexpr uint64_t NsPerSecond = 1000000000;

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t monotonicNs();
/// CLOCK_REALTIME in nanoseconds.
int64_t realtimeNs();

/// The processor time of the calling thread in nanoseconds.
uint64_t threadCpuNs();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_KERNEL_TIME_H
