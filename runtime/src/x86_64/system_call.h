// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters the kernel without libc. One of several files of this name; the build
// selects one by its include path.

#ifndef LOOPSCOPE_X86_64_SYSTEM_CALL_H
#define LOOPSCOPE_X86_64_SYSTEM_CALL_H

namespace loopscope::runtime {

/// Returns the kernel's result, or a negative error number.
inline long systemCall(long Number, long A = 0, long B = 0, long C = 0,
                       long D = 0, long E = 0, long F = 0) {
  long Result = Number;
  register long R10 __asm__("r10") = D;
  register long R8 __asm__("r8") = E;
  register long R9 __asm__("r9") = F;
  __asm__ volatile("syscall"
                   : "+a"(Result)
                   : "D"(A), "S"(B), "d"(C), "r"(R10), "r"(R8), "r"(R9)
                   : "rcx", "r11", "memory");
  return Result;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_SYSTEM_CALL_H
