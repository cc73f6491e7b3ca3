// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CPUID reports about the time stamp counter.

#include "base/clock.h"

#include <cpuid.h>

using namespace loopscope::runtime;

namespace {
constexpr unsigned LeafExtendedMax = 0x80000000U;
constexpr unsigned LeafPowerManagement = 0x80000007U;
constexpr unsigned InvariantTsc = 1U << 8;
constexpr unsigned LeafTsc = 0x15;
constexpr unsigned LeafFrequency = 0x16;
constexpr unsigned LeafHypervisor = 0x40000000U;
constexpr unsigned LeafHypervisorTsc = 0x40000010U;
constexpr unsigned UnderHypervisor = 1U << 31;
} // namespace

bool loopscope::runtime::counterIsSteady() {
  unsigned A = 0, B = 0, C = 0, D = 0;
  __cpuid(LeafExtendedMax, A, B, C, D);
  if (A < LeafPowerManagement)
    return false;
  __cpuid(LeafPowerManagement, A, B, C, D);
  return (D & InvariantTsc) != 0;
}

uint64_t loopscope::runtime::counterNominalHz() {
  unsigned A = 0, B = 0, C = 0, D = 0;
  unsigned Max = __get_cpuid_max(0, nullptr);
  if (Max >= LeafTsc) {
    __cpuid(LeafTsc, A, B, C, D);
    if (A != 0 && B != 0 && C != 0)
      return static_cast<uint64_t>(C) * B / A;
  }
  __cpuid(1, A, B, C, D);
  if ((C & UnderHypervisor) != 0) {
    __cpuid(LeafHypervisor, A, B, C, D);
    if (A >= LeafHypervisorTsc) {
      __cpuid(LeafHypervisorTsc, A, B, C, D);
      if (A != 0)
        return static_cast<uint64_t>(A) * 1000;
    }
  }
  if (Max >= LeafFrequency) {
    __cpuid(LeafFrequency, A, B, C, D);
    return static_cast<uint64_t>(A & 0xffffU) * 1000000;
  }
  return 0;
}
