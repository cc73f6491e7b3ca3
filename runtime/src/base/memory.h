// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from the kernel.

#ifndef LOOPSCOPE_BASE_MEMORY_H
#define LOOPSCOPE_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The size of the kernel's pages: 4 KiB to 64 KiB.
uintptr_t pageSize();

/// For tests: works for kernels with pages of SIZE bytes, a multiple of the
/// real size. 0: the real one again.
void pretendPageSize(uintptr_t Size);

/// The pages that have the SIZE bytes at AT.
struct Pages {
  char *Begin;
  size_t Size;
};
Pages pagesOf(void *At, size_t Size);

/// SIZE bytes of zeroed memory in its own mapping, until munmap; null if out of
/// memory.
void *mapMemory(size_t Size);
/// Replaces the pages that have the SIZE bytes at AT by zeroed memory. Null if
/// out of memory, else AT.
void *mapMemoryAt(void *At, size_t Size);
/// The same for memory that mostly stays untouched: only touched pages use
/// memory.
void *reserveMemory(size_t Size);

/// Sets SIZE bytes of a global to zero, without touching those of its pages
/// that nobody has written. For a forked child, which would copy them.
void clearGlobal(void *Memory, size_t Size);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_MEMORY_H
