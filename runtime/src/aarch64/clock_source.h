// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the virtual counter, the cheapest clock of this processor. One of
// several files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_CLOCK_SOURCE_H
#define LOOPSCOPE_AARCH64_CLOCK_SOURCE_H

#include <stdint.h>

namespace loopscope::runtime {

/// The counter's value. Without a barrier it may be read slightly early, which
/// matters less than the cost of a barrier.
inline uint64_t readCounter() {
  uint64_t Result = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(Result));
  return Result;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_CLOCK_SOURCE_H
