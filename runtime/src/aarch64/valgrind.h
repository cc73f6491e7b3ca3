// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program runs under valgrind. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_VALGRIND_H
#define LOOPSCOPE_AARCH64_VALGRIND_H

#include <stdint.h>

namespace loopscope::runtime {

/// Uses valgrind's client request RUNNING_ON_VALGRIND: rotations without effect
/// on a real processor.
inline bool isUnderValgrind() {
  volatile uint64_t Request[6] = {0x1001};
  register uint64_t Answer __asm__("x3") = 0;
  register volatile uint64_t *Asked __asm__("x4") = &Request[0];
  asm volatile("ror x12, x12, #3; ror x12, x12, #13\n\t"
               "ror x12, x12, #51; ror x12, x12, #61\n\t"
               "orr x10, x10, x10"
               : "+r"(Answer)
               : "r"(Asked)
               : "cc", "memory");
  return Answer != 0;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_VALGRIND_H
