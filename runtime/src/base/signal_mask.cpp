// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks signals by the kernel's call: libc's would leave out the signal that
// cancels threads.

#include "signal_mask.h"

#include "system_call.h"

#include <signal.h>
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
} // namespace

uint64_t loopscope::runtime::blockSignals() {
  uint64_t Before = 0;
  changeMask(SIG_BLOCK, &Deferred, &Before);
  return Before;
}

void loopscope::runtime::restoreSignals(uint64_t Before) {
  changeMask(SIG_SETMASK, &Before, nullptr);
}
