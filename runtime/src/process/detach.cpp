// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends what is open, and tells the extensions.

#include "detach.h"

#include "background.h"
#include "base/clock.h"
#include "base/fork_notice.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "program.h"
#include "tree/extension.h"
#include "tree/fibres.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/pause.h"
#include "tree/slow_path.h"
#include "tree/threads.h"
#include "tree/unwind.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// The calling thread ends: its open spans end, and the tree is free for the
// next thread. The main thread keeps its tree: its lifetime is the run's.
void endThread() {
  noticeFork();
  Thread *T = ownTree();
  if (T == nullptr) {
    // Otherwise the process would go on for our thread alone.
    if (syscall(SYS_gettid) == getpid())
      endWatch();
    return;
  }
  SlowPath Path;
  if (!Path)
    return;
  T = leaveFibre(T);
  if (T == nullptr)
    return;
  {
    PauseLifted Lifted(T);
    popTo(T, rootOf(T), now());
    forgetPauses(T);
  }
  callExtensions(&Extension::ThreadEnded);
  bool IsMain = T->is_main != 0; // afterwards, another thread may have the tree
  leaveThread(T);
  if (IsMain)
    tellBackgroundToStop();
}
} // namespace

void loopscope::runtime::startThreadEnds() { startThreadMemory(endThread); }
