// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mappings without a file.

#include "memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
void *mapPages(size_t Size, int Flags, void *At = nullptr) {
  void *Memory = mmap(At, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | Flags, -1, 0);
  return Memory == MAP_FAILED ? nullptr : Memory;
}
} // namespace

void *loopscope::runtime::mapMemory(size_t Size, void *At) {
  return mapPages(Size, At == nullptr ? 0 : MAP_FIXED, At);
}

void *loopscope::runtime::reserveMemory(size_t Size) {
  return mapPages(Size, MAP_NORESERVE);
}

// A whole page inside a zeroed global is anonymous memory, which is zero again
// once the kernel has dropped it.
void loopscope::runtime::clearGlobal(void *Memory, size_t Size) {
  constexpr uintptr_t Page = 4096;
  int Saved = errno;
  auto Begin = reinterpret_cast<uintptr_t>(Memory);
  uintptr_t FirstPage = (Begin + Page - 1) / Page * Page;
  uintptr_t LastPage = (Begin + Size) / Page * Page;
  if (FirstPage < LastPage &&
      madvise(reinterpret_cast<void *>(FirstPage), LastPage - FirstPage,
              MADV_DONTNEED) == 0) {
    memset(Memory, 0, FirstPage - Begin);
    memset(reinterpret_cast<void *>(LastPage), 0, Begin + Size - LastPage);
  } else {
    memset(Memory, 0, Size);
  }
  errno = Saved;
}
