// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last launch of each thread; names of kernels.

#include "device_launches.h"

#include "base/thread_memory.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
LOOPSCOPE_PER_THREAD(uint32_t, Last);
} // namespace

// Matches "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclKernel_...",
// "ncclSymDevKernel_...", also mangled ("_Z" and their length first).
bool loopscope::runtime::isCommunicationKernel(const char *Name) {
  if (strncmp(Name, "_Z", 2) == 0)
    for (Name += 2; *Name >= '0' && *Name <= '9';)
      ++Name;
  return strncmp(Name, "nccl", 4) == 0 && strstr(Name, "Kernel") != nullptr;
}

void loopscope::runtime::noteCommunication(uint32_t Correlation) {
  *Last = Correlation;
}

uint32_t loopscope::runtime::takeCommunication() {
  uint32_t Taken = *Last;
  *Last = 0;
  return Taken;
}
