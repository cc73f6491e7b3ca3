// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock of all spans: the time stamp counter where the processor keeps it
// steady and the kernel trusts it, CLOCK_MONOTONIC elsewhere; and the pairs of
// readings of both that calibrate the one by the other over the whole run.

#ifndef LOOPSCOPE_CORE_CLOCK_H
#define LOOPSCOPE_CORE_CLOCK_H

#include "clock_source.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Which clock now() reads, all that the clock keeps; false until startClock(),
/// constant afterwards.
extern __attribute__((visibility("hidden"))) bool UseCounter;

constexpr uint64_t NsPerMs = 1000000;
constexpr uint64_t NsPerSecond = 1000000000;

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t monotonicNs();
/// CLOCK_REALTIME in nanoseconds.
int64_t realtimeNs();

/// The time in ticks.
inline uint64_t now() {
  if (__builtin_expect(UseCounter, true))
    return readCounter();
  return monotonicNs();
}

/// By the processor: whether its counter runs at one rate, always.
bool counterIsSteady();
/// By the processor: the counter's rate as documented, 0 when unknown.
uint64_t counterNominalHz();
/// By the kernel: whether it keeps time by the counter. True as well where it
/// doesn't say (no /sys, in containers): the processor's word stands then.
bool kernelTrustsCounter();

/// Chooses the clock. Idempotent.
void startClock();

/// Ticks and CLOCK_MONOTONIC of one moment, the tightest of a few tries.
struct ClockPair {
  uint64_t Ticks;
  uint64_t Ns;
};
ClockPair readClockPair();

/// Writes kind, start pair and first estimate of the rate.
void describeClock(loopscope_profile_header &Header);
/// Moves the header's second pair on to now.
void calibrate(loopscope_profile_header &Header);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_CLOCK_H
