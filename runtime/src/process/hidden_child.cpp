// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child that sends no signal when it ends is found only by a wait() that asks
// for such children (__WCLONE). That holds until it calls execve(), which makes
// it an ordinary child. So it calls none, and starts the program that it is for
// as a child of its own.

#include "hidden_child.h"

#include "base/memory.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace loopscope::runtime;

namespace {
// Its result is in the shared memory, because a wait() of the program that asks
// for all children may be first.
struct Call {
  int (*Function)(void *);
  void *Data;
  int Result;
};

int runCall(void *Of) {
  auto *This = static_cast<Call *>(Of);
  This->Result = This->Function(This->Data);
  return 0;
}
} // namespace

int loopscope::runtime::runInHiddenChild(int (*Function)(void *), void *Data) {
  constexpr size_t StackSize = 128 << 10;
  auto *Stack = static_cast<char *>(mapMemory(StackSize));
  if (Stack == nullptr)
    return -1;
  sigset_t All;
  sigset_t Saved;
  sigfillset(&All);
  pthread_sigmask(SIG_BLOCK, &All, &Saved);
  // As vfork(): no copy of a large program's page tables.
  constexpr int NoSignalAtEnd = 0;
  Call Work{Function, Data, -1};
  int Child = clone(runCall, Stack + StackSize,
                    CLONE_VM | CLONE_VFORK | NoSignalAtEnd, &Work);
  while (Child > 0 && waitpid(Child, nullptr, __WCLONE) < 0 && errno == EINTR)
    ;
  pthread_sigmask(SIG_SETMASK, &Saved, nullptr);
  munmap(Stack, StackSize);
  return Work.Result;
}
