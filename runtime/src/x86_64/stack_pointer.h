// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack pointer and the thread pointer. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_STACK_POINTER_H
#define LOOPSCOPE_X86_64_STACK_POINTER_H

#include <stdint.h>

namespace loopscope::runtime {

/// Stores the low half of the stack pointer in one instruction.
inline __attribute__((always_inline)) void storeStackPointer(uint32_t &Place) {
  asm volatile("movl %%esp, %0" : "=m"(Place));
}

/// Stores the low half of the stack pointer that a hook, into which this is
/// inlined, has at its first instruction. One instruction, right only in hooks
/// without a frame.
inline __attribute__((always_inline)) void storeHookStack(uint32_t &Place) {
  storeStackPointer(Place);
}

/// By how much a call moves the stack pointer: it pushes the return address.
constexpr uint32_t CallBytes = sizeof(void *);

/// The address of libc's thread control block; 0 if unknown.
inline uintptr_t threadPointer() {
  uintptr_t Result = 0;
  asm("movq %%fs:0, %0" : "=r"(Result));
  return Result;
}

} // namespace loopscope::runtime

/// Of a function that libc may call with a misaligned stack: musl's
/// asynchronous cancellation calls destructors so.
#define LOOPSCOPE_REALIGNS_STACK __attribute__((force_align_arg_pointer))

#endif // LOOPSCOPE_X86_64_STACK_POINTER_H
