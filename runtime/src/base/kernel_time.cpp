// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the kernel's clocks.

#include "kernel_time.h"

#include <time.h>

using namespace loopscope::runtime;

namespace {
uint64_t nanoseconds(clockid_t Id) {
  timespec Time{};
  clock_gettime(Id, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}
} // namespace

uint64_t loopscope::runtime::monotonicNs() {
  return nanoseconds(CLOCK_MONOTONIC);
}

int64_t loopscope::runtime::realtimeNs() {
  return static_cast<int64_t>(nanoseconds(CLOCK_REALTIME));
}

uint64_t loopscope::runtime::threadCpuNs() {
  return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}
