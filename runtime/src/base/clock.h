// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock of all spans: the time stamp counter if the processor keeps it
// steady and the kernel trusts it, otherwise CLOCK_MONOTONIC; and pairs of
// readings of both, which calibrate one by the other over the whole run.

#ifndef LOOPSCOPE_BASE_CLOCK_H
#define LOOPSCOPE_BASE_CLOCK_H

#include "clock_source.h"
#include "kernel_time.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Which clock now() reads; the clock's only state. False until startClock(),
/// then constant.
extern __attribute__((visibility("hidden"))) bool UseCounter;

/// About how many ticks now() makes in a second: what the processor or the
/// kernel says, for intervals that needn't be exact. Set by startClock().
extern __attribute__((visibility("hidden"))) uint64_t TicksPerSecond;

/// The time in ticks.
inline uint64_t now() {
  if (__builtin_expect(UseCounter, true))
    return readCounter();
  return monotonicNs();
}

/// From the processor: whether its counter always runs at one rate.
bool counterIsSteady();
/// From the processor: the counter's documented rate in Hz, 0 if unknown.
uint64_t counterNominalHz();
/// From the kernel: whether it uses the counter for its own time. True if the
/// kernel doesn't say (containers without /sys); the processor then decides.
bool kernelTrustsCounter();

/// The clock's step in ticks: readings are multiples of it apart. 1 if it is
/// shorter than a reading takes.
uint64_t clockStep();

/// Chooses the clock. Idempotent.
void startClock();

/// Ticks and CLOCK_MONOTONIC at one moment: the tightest of several tries.
struct ClockPair {
  uint64_t Ticks;
  uint64_t Ns;
};
ClockPair readClockPair();

/// Writes the clock's kind, the start pair and the first estimate of the rate.
void describeClock(loopscope_profile_header &Header);
/// Updates the header's second pair to the current time.
void calibrate(loopscope_profile_header &Header);
/// Ticks per second, as calibrated so far, perhaps by another thread right now.
/// Until it is known, it is assumed to be slow: so there are too few ticks in a
/// time, and too much time in ticks.
inline uint64_t calibratedHz(const loopscope_profile_header &Header) {
  uint64_t Hz = __atomic_load_n(&Header.nominal_hz, __ATOMIC_RELAXED);
  return Hz == 0 ? NsPerSecond : Hz;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_CLOCK_H
