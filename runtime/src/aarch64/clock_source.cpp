// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the architecture and a few readings tell about the virtual counter.

#include "base/clock.h"

using namespace loopscope::runtime;

namespace {
// Whether readings come from the kernel or a hypervisor, which catch them on
// processors with errata and in some virtual machines: microseconds each, more
// than the kernel's clock.
bool isCaught() {
  constexpr int Rounds = 16;
  constexpr int Readings = 8;
  constexpr uint64_t MostNs = 200; // each
  uint64_t Best = UINT64_MAX;      // what else takes time counts as slow
  for (int Round = 0; Round < Rounds && Best > MostNs * Readings; ++Round) {
    uint64_t Start = monotonicNs();
    for (int I = 0; I < Readings; ++I)
      readCounter();
    uint64_t Taken = monotonicNs() - Start;
    Best = Taken < Best ? Taken : Best;
  }
  return Best > MostNs * Readings;
}
} // namespace

// The architecture demands one rate for all processors of a system.
bool loopscope::runtime::counterIsSteady() {
  static int Known = -1; // startClock() asks first, in one thread
  if (Known < 0)
    Known = isCaught() ? 0 : 1;
  return Known == 1;
}

uint64_t loopscope::runtime::counterNominalHz() {
  uint64_t Result = 0;
  asm("mrs %0, cntfrq_el0" : "=r"(Result));
  return static_cast<uint32_t>(Result);
}
