// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack pointer and the thread pointer. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_STACK_POINTER_H
#define LOOPSCOPE_GENERIC_STACK_POINTER_H

#include <stdint.h>

namespace loopscope::runtime {

/// Stores the mark of a span without a place (stack_mark.h): this processor's
/// stack pointer isn't read.
inline void storeStackPointer(uint32_t &Place) { Place = 1; }

/// The same for hooks.
inline void storeHookStack(uint32_t &Place) { storeStackPointer(Place); }

/// By how much a call moves the stack pointer.
constexpr uint32_t CallBytes = 0;

/// The address of libc's thread control block; 0 if unknown, as here.
inline uintptr_t threadPointer() { return 0; }

} // namespace loopscope::runtime

/// Of a function that libc may call with a misaligned stack; see the other
/// files of this name.
#define LOOPSCOPE_REALIGNS_STACK

#endif // LOOPSCOPE_GENERIC_STACK_POINTER_H
