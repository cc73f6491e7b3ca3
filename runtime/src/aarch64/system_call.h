// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters the kernel without libc. One of several files of this name; the build
// selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_SYSTEM_CALL_H
#define LOOPSCOPE_AARCH64_SYSTEM_CALL_H

namespace loopscope::runtime {

/// Returns the kernel's result, or a negative error number.
inline long systemCall(long Number, long A = 0, long B = 0, long C = 0,
                       long D = 0, long E = 0, long F = 0) {
  register long X8 __asm__("x8") = Number;
  register long X0 __asm__("x0") = A;
  register long X1 __asm__("x1") = B;
  register long X2 __asm__("x2") = C;
  register long X3 __asm__("x3") = D;
  register long X4 __asm__("x4") = E;
  register long X5 __asm__("x5") = F;
  __asm__ volatile("svc #0"
                   : "+r"(X0)
                   : "r"(X8), "r"(X1), "r"(X2), "r"(X3), "r"(X4), "r"(X5)
                   : "memory");
  return X0;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_SYSTEM_CALL_H
