// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters in the profile's header (loopscope/profile_counters.h).

#ifndef LOOPSCOPE_PROFILE_COUNTS_H
#define LOOPSCOPE_PROFILE_COUNTS_H

// Its values: loopscope/profile_counters.h.
enum loopscope_counter : unsigned;

namespace loopscope::runtime {

/// Adds one to a header counter. Any thread, signal safe.
void count(loopscope_counter Counter);
/// count(LOOPSCOPE_COUNT_CLOCK_CLAMPED).
void countClockWentBack();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_COUNTS_H
