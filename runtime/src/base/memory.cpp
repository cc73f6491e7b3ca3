// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mappings without a file.

#include "memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
void *mapPages(size_t Size, int Flags, void *At = nullptr) {
  void *Memory = mmap(At, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | Flags, -1, 0);
  return Memory == MAP_FAILED ? nullptr : Memory;
}
uintptr_t PageSize = 0;
} // namespace

uintptr_t loopscope::runtime::pageSize() {
  uintptr_t Known = __atomic_load_n(&PageSize, __ATOMIC_RELAXED);
  if (Known == 0) {
    Known = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    __atomic_store_n(&PageSize, Known, __ATOMIC_RELAXED);
  }
  return Known;
}

void loopscope::runtime::pretendPageSize(uintptr_t Size) { PageSize = Size; }

Pages loopscope::runtime::pagesOf(void *At, size_t Size) {
  uintptr_t Rest = pageSize() - 1;
  auto First = reinterpret_cast<uintptr_t>(At);
  uintptr_t Begin = First & ~Rest;
  uintptr_t End = (First + Size + Rest) & ~Rest;
  return {reinterpret_cast<char *>(Begin), End - Begin};
}

void *loopscope::runtime::mapMemory(size_t Size) { return mapPages(Size, 0); }

void *loopscope::runtime::mapMemoryAt(void *At, size_t Size) {
  Pages Whole = pagesOf(At, Size);
  return mapPages(Whole.Size, MAP_FIXED, Whole.Begin) == nullptr ? nullptr : At;
}

void *loopscope::runtime::reserveMemory(size_t Size) {
  return mapPages(Size, MAP_NORESERVE);
}

// A whole page inside a zeroed global is anonymous memory, which is zero again
// once the kernel has dropped it.
void loopscope::runtime::clearGlobal(void *Memory, size_t Size) {
  uintptr_t Page = pageSize();
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
