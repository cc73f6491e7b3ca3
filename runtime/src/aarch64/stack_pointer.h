// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack pointer and the thread pointer. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_AARCH64_STACK_POINTER_H
#define LOOPSCOPE_AARCH64_STACK_POINTER_H

#include <stdint.h>

namespace loopscope::runtime {

/// Stores the low half of the stack pointer.
inline __attribute__((always_inline)) void storeStackPointer(uint32_t &Place) {
  uint64_t Stack = 0;
  asm volatile("mov %0, sp" : "=r"(Stack));
  Place = static_cast<uint32_t>(Stack);
}

/// Stores the low half of the stack pointer that a hook, into which this is
/// inlined, has at its first instruction; compilers give hooks a frame here.
inline __attribute__((always_inline)) void storeHookStack(uint32_t &Place) {
  Place =
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa()));
}

/// By how much a call moves the stack pointer: the return address is in a
/// register.
constexpr uint32_t CallBytes = 0;

/// The address of libc's thread control block; 0 if unknown.
inline uintptr_t threadPointer() {
  uintptr_t Result = 0;
  asm("mrs %0, tpidr_el0" : "=r"(Result));
  return Result;
}

} // namespace loopscope::runtime

/// Of a function that libc may call with a misaligned stack: here the processor
/// refuses one.
#define LOOPSCOPE_REALIGNS_STACK

#endif // LOOPSCOPE_AARCH64_STACK_POINTER_H
