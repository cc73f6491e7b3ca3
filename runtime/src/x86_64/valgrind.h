// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program runs under valgrind. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_VALGRIND_H
#define LOOPSCOPE_X86_64_VALGRIND_H

#include <stdint.h>

namespace loopscope::runtime {

/// Uses valgrind's client request RUNNING_ON_VALGRIND: rotations without effect
/// on a real processor.
inline bool isUnderValgrind() {
  volatile uint64_t Request[6] = {0x1001};
  uint64_t Answer = 0;
  asm volatile("rolq $3, %%rdi; rolq $13, %%rdi\n\t"
               "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
               "xchgq %%rbx, %%rbx"
               : "=d"(Answer)
               : "a"(&Request[0]), "0"(Answer)
               : "cc", "memory");
  return Answer != 0;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_VALGRIND_H
