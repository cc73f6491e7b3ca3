// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the extensions, and starts the background thread.

#include "attach.h"

#include "background.h"
#include "base/thread_memory.h"
#include "process.h"
#include "profile/node_links.h"
#include "tree/extension.h"
#include "tree/own_tree.h"
#include "tree/subscriptions.h"
#include "tree/threads.h"

using namespace loopscope::runtime;

Thread *loopscope::runtime::attachThread() {
  ThreadMemory &Memory = *ThisThread.Memory;
  if (Memory.Tree != nullptr)
    return Memory.Tree;
  if (!ensureProfile())
    return nullptr;
  if (Thread *T = takeThread()) {
    callExtensions(&Extension::ThreadStarted, T);
    if (Subscriptions.SpansWatched && links(T).EventCursor == nullptr)
      links(T).EventCursor = &Subscriptions.NoBlock;
    Memory.Tree = T;
    chooseFast(T, false);
  }
  startBackground();
  return Memory.Tree;
}
