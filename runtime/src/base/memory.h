// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from the kernel.

#ifndef LOOPSCOPE_BASE_MEMORY_H
#define LOOPSCOPE_BASE_MEMORY_H

#include <stddef.h>

namespace loopscope::runtime {

/// SIZE bytes of zeroed memory in its own mapping, until munmap; null if out of
/// memory. They replace what is mapped at AT, unless that is null.
void *mapMemory(size_t Size, void *At = nullptr);
/// The same for memory that mostly stays untouched: only touched pages use
/// memory.
void *reserveMemory(size_t Size);

/// Sets SIZE bytes of a global to zero, without touching those of its pages
/// that nobody has written. For a forked child, which would copy them.
void clearGlobal(void *Memory, size_t Size);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_MEMORY_H
