// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the kernel clears in forked children.

#include "fork_notice.h"

#include "memory.h"

#include <errno.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t Page = 4096;

struct NoticeState {
  const unsigned *IsSame; // 0 in a forked child; null before the first profile
  void (*StartOver)();
};
NoticeState Notice;
} // namespace

void *loopscope::runtime::mapWipedOnFork(size_t Size) {
  int Saved = errno;
  void *Memory = mapMemory(Size);
  // Where the kernel doesn't know this, children are noticed only if they come
  // through pthread_atfork().
  if (Memory != nullptr)
    madvise(Memory, Size, MADV_WIPEONFORK);
  errno = Saved;
  return Memory;
}

void loopscope::runtime::startForkNotice(void (*StartOver)()) {
  Notice.StartOver = StartOver;
  if (auto *Memory = static_cast<unsigned *>(mapWipedOnFork(Page))) {
    *Memory = 1;
    Notice.IsSame = Memory;
  }
}

void loopscope::runtime::noticeFork() {
  if (__builtin_expect(Notice.IsSame != nullptr && *Notice.IsSame == 0,
                       false)) {
    Notice.IsSame = nullptr;
    Notice.StartOver();
    startForkNotice(Notice.StartOver);
  }
}
