// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks signals by the kernel's call: libc's would leave out the signal that
// cancels threads.

#include "deferral.h"

#include "system_call.h"
#include "threads.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t bitOf(int Signal) { return uint64_t(1) << (Signal - 1); }

// glibc's signals are 32, which cancels a thread, and 33, by which setuid()
// changes all threads at once.
constexpr int ChangeAllThreads = 33;
constexpr uint64_t Deferred =
    ~(bitOf(SIGSEGV) | bitOf(SIGBUS) | bitOf(SIGFPE) | bitOf(SIGILL) |
      bitOf(SIGTRAP) | bitOf(SIGSYS) | bitOf(ChangeAllThreads));

void changeMask(int How, const uint64_t *Set, uint64_t *Saved) {
  systemCall(SYS_rt_sigprocmask, How, reinterpret_cast<long>(Set),
             reinterpret_cast<long>(Saved), sizeof(uint64_t));
}

// The least that the deepest function of a slow path needs, measured by
// -fstack-usage with room to spare. A smallest stack (16 KiB) has both.
constexpr size_t StackOfSlowPath = 6 << 10;
constexpr size_t StackOfProfile = 11 << 10;

template <size_t Size> __attribute__((noinline)) void touch() {
  volatile char Room[Size];
  Room[0] = 0;
  (void)Room[0];
}
} // namespace

uint64_t loopscope::runtime::blockSignals() {
  uint64_t Before = 0;
  changeMask(SIG_BLOCK, &Deferred, &Before);
  return Before;
}

void loopscope::runtime::restoreSignals(uint64_t Before) {
  changeMask(SIG_SETMASK, &Before, nullptr);
}

// The count changes while signals are blocked, so a handler never sees a count
// without a blocked mask. Without memory nothing is deferred.
void loopscope::runtime::beginDeferral() {
  ThreadMemory *Memory = ownMemory();
  if (Memory == nullptr)
    return;
  if (Memory->Deferrals == 0)
    Memory->MaskBefore = blockSignals();
  ++Memory->Deferrals;
}

void loopscope::runtime::endDeferral() {
  ThreadMemory *Memory = ThisThread.Memory;
  if (Memory->Deferrals == 0)
    return;
  --Memory->Deferrals;
  if (Memory->Deferrals == 0)
    restoreSignals(Memory->MaskBefore);
}

Deferral::Deferral() { beginDeferral(); }
Deferral::~Deferral() { endDeferral(); }

void loopscope::runtime::neverInterrupted() {
  if (ThreadMemory *Memory = ownMemory())
    ++Memory->Deferrals;
}

void loopscope::runtime::reserveStack() { touch<StackOfSlowPath>(); }
void loopscope::runtime::reserveStackForProfile() { touch<StackOfProfile>(); }
