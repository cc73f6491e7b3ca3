// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread's floating-point environment. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_FLOAT_STATE_H
#define LOOPSCOPE_AARCH64_FLOAT_STATE_H

#include <stdint.h>

namespace loopscope::runtime {

/// FPCR (traps and rounding) and FPSR (flags), which have 32 bits in use.
struct FloatState {
  uint32_t Control;
  uint32_t Flags;
};

/// The state of a new process: no exception traps, results are rounded to the
/// nearest, denormals are numbers, no flag is set.
constexpr FloatState DefaultFloats = {0, 0};

/// Changes the state to NEW; returns the one before. The compiler moves no
/// access to memory across it.
inline FloatState setFloats(FloatState New) {
  uint64_t Control = 0;
  uint64_t Flags = 0;
  asm volatile("mrs %0, fpcr" : "=r"(Control) : : "memory");
  asm volatile("mrs %0, fpsr" : "=r"(Flags) : : "memory");
  asm volatile("msr fpcr, %0" : : "r"(uint64_t(New.Control)) : "memory");
  asm volatile("msr fpsr, %0" : : "r"(uint64_t(New.Flags)) : "memory");
  return {static_cast<uint32_t>(Control), static_cast<uint32_t>(Flags)};
}

inline void resetFloats() { setFloats(DefaultFloats); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AARCH64_FLOAT_STATE_H
