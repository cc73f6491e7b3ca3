// A clock that tests set: takes the place of the processor's.
#pragma once

#include <stdint.h>

namespace loopscope::runtime {

/// The time in ticks; only tests move it.
extern uint64_t FakeTicks;

inline uint64_t readCounter() { return FakeTicks; }

} // namespace loopscope::runtime
