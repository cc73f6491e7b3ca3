// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and leaves slow paths.

#include "slow_path.h"

#include "base/deferral.h"
#include "base/fork_notice.h"
#include "base/own_stack.h"
#include "base/slow_lock.h"
#include "base/thread_memory.h"
#include "own_tree.h"
#include "profile/counts.h"
#include "profile/lost_file.h"

#include <loopscope/profile_counters.h>

#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// A handler of a fault in a slow path may jump out of it. The handler's mask
// has gone with it.
bool wasSlowPathLeft() {
  bool IsMain = syscall(SYS_gettid) == getpid();
  return isFrameLeft(ThisThread.Memory->SlowPathAt, IsMain);
}

void forgetSlowPath() {
  dropSlowLock();
  ThisThread.Memory->OnSlowPath = false;
  ThisThread.Memory->Deferrals = 0;
}

// Whether the profile was lost, perhaps during this slow path. Whoever loses it
// says so before taking threads out of their spans: either that comes later
// than what this thread did, or this thread sees it.
bool isLost() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Loss What = fileLoss();
  if (What == Loss::Happening)
    What = replacePieces();
  return What == Loss::Lost;
}
} // namespace

SlowPath::SlowPath(bool IsCounted) {
  noticeFork();
  ThreadMemory *Memory = ownMemory();
  if (Memory != nullptr && Memory->OnSlowPath && wasSlowPathLeft())
    forgetSlowPath();
  Entered = Memory != nullptr && !Memory->OnSlowPath;
  if (!Entered) {
    if (IsCounted)
      count(Memory == nullptr ? LOOPSCOPE_COUNT_THREADS_LOST
                              : LOOPSCOPE_COUNT_REENTRANT);
    return;
  }
  reserveStack();
  beginDeferral();
  Memory->OnSlowPath = true;
  Memory->SlowPathAt = this;
}

SlowPath::~SlowPath() {
  if (!Entered)
    return;
  if (__builtin_expect(isLost(), false)) {
    // What it has just opened may be half of a node.
    forgetFast();
    ThisThread.Memory->Tree = nullptr;
  }
  ThisThread.Memory->OnSlowPath = false;
  endDeferral();
}
