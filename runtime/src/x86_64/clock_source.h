// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the time stamp counter, the cheapest clock of this processor. One of
// several files of this name; the build picks one by its include path.

#ifndef LOOPSCOPE_X86_64_CLOCK_SOURCE_H
#define LOOPSCOPE_X86_64_CLOCK_SOURCE_H

#include <stdint.h>
#include <x86intrin.h>

namespace loopscope::runtime {

/// The counter's value. Plain rdtsc: it may run some instructions early or
/// late, which is less than what a fence would cost.
inline uint64_t readCounter() { return __rdtsc(); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_CLOCK_SOURCE_H
