// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the time stamp counter, the cheapest clock of this processor. One of
// several files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_CLOCK_SOURCE_H
#define LOOPSCOPE_X86_64_CLOCK_SOURCE_H

#include <stdint.h>
#include <x86intrin.h>

namespace loopscope::runtime {

/// The counter's value. Plain rdtsc: it may execute slightly early or late,
/// which matters less than the cost of a fence.
inline uint64_t readCounter() { return __rdtsc(); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_CLOCK_SOURCE_H
