// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread's floating-point environment, as far as this processor's compilers
// use it. One of several files of this name; the build selects one by its
// include path.

#ifndef LOOPSCOPE_X86_64_FLOAT_STATE_H
#define LOOPSCOPE_X86_64_FLOAT_STATE_H

#include <stdint.h>

namespace loopscope::runtime {

/// MXCSR: masks, rounding and flags of SSE, which computes all floats and
/// doubles here. The x87 unit computes long doubles only.
using FloatState = uint32_t;

/// The state of a new process: no exception traps, results are rounded to the
/// nearest, denormals are numbers, no flag is set.
constexpr FloatState DefaultFloats = 0x1f80;

/// Changes the state to NEW; returns the one before. The compiler moves no
/// access to memory across it.
inline FloatState setFloats(FloatState New) {
  FloatState Before = 0;
  asm volatile("stmxcsr %0" : "=m"(Before) : : "memory");
  asm volatile("ldmxcsr %0" : : "m"(New) : "memory");
  return Before;
}

/// Also for code of others that this thread calls.
inline void resetFloats() {
  asm volatile("fninit" : : : "memory");
  setFloats(DefaultFloats);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_FLOAT_STATE_H
