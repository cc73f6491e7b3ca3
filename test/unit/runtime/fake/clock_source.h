// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clock that tests set, in place of the processor's.

#ifndef LOOPSCOPE_TEST_UNIT_RUNTIME_FAKE_CLOCK_SOURCE_H
#define LOOPSCOPE_TEST_UNIT_RUNTIME_FAKE_CLOCK_SOURCE_H

#include <stdint.h>

namespace loopscope::runtime {

/// The time in ticks; only tests move it.
extern uint64_t FakeTicks;

inline uint64_t readCounter() { return FakeTicks; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TEST_UNIT_RUNTIME_FAKE_CLOCK_SOURCE_H
