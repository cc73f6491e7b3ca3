// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread's floating-point environment. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_FLOAT_STATE_H
#define LOOPSCOPE_GENERIC_FLOAT_STATE_H

#include <stdint.h>

namespace loopscope::runtime {

/// FPCR (traps and rounding) and FPSR (flags) of an Arm processor. Other
/// processors' environments aren't touched: their flags may be set.
struct FloatState {
  uint64_t Control;
  uint64_t Flags;
};

/// The state of a new process: no exception traps, results are rounded to the
/// nearest, denormals are numbers, no flag is set.
constexpr FloatState DefaultFloats = {0, 0};

/// Changes the state to NEW; returns the one before. The compiler moves no
/// access to memory across it.
#if defined(__aarch64__)
inline FloatState setFloats(FloatState New) {
  FloatState Before = {};
  asm volatile("mrs %0, fpcr" : "=r"(Before.Control) : : "memory");
  asm volatile("mrs %0, fpsr" : "=r"(Before.Flags) : : "memory");
  asm volatile("msr fpcr, %0" : : "r"(New.Control) : "memory");
  asm volatile("msr fpsr, %0" : : "r"(New.Flags) : "memory");
  return Before;
}
#else
inline FloatState setFloats(FloatState New) { return New; }
#endif

inline void resetFloats() { setFloats(DefaultFloats); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_FLOAT_STATE_H
