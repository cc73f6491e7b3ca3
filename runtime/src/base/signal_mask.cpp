// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks signals by the kernel's call: libc's would leave out the signal that
// cancels threads.

#include "signal_mask.h"

#include "glibc_only.h"
#include "system_call.h"

#include <signal.h>
#include <sys/syscall.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t bitOf(int Signal) { return uint64_t(1) << (Signal - 1); }

// The signal by which setuid() changes all threads at once: it waits for them.
// By another one of its own libc cancels a thread: 32 with glibc, 33 with musl.
int changeAllThreads() { return isGlibc() ? 33 : 34; }

uint64_t deferred() {
  return ~(bitOf(SIGSEGV) | bitOf(SIGBUS) | bitOf(SIGFPE) | bitOf(SIGILL) |
           bitOf(SIGTRAP) | bitOf(SIGSYS) | bitOf(changeAllThreads()));
}

void changeMask(int How, const uint64_t *Set, uint64_t *Saved) {
  systemCall(SYS_rt_sigprocmask, How, reinterpret_cast<long>(Set),
             reinterpret_cast<long>(Saved), sizeof(uint64_t));
}
} // namespace

uint64_t loopscope::runtime::blockSignals() {
  uint64_t Before = 0;
  uint64_t Deferred = deferred();
  changeMask(SIG_BLOCK, &Deferred, &Before);
  return Before;
}

void loopscope::runtime::restoreSignals(uint64_t Before) {
  changeMask(SIG_SETMASK, &Before, nullptr);
}
