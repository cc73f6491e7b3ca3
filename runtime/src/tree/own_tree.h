// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling thread's tree, and whether its hooks may take the fast path.

#ifndef LOOPSCOPE_TREE_OWN_TREE_H
#define LOOPSCOPE_TREE_OWN_TREE_H

#include "base/thread_memory.h"
#include "profile/node_links.h"

namespace loopscope::runtime {

/// The calling thread's tree. Null before its first hook, and in a forked child
/// that hasn't noticed yet, where Tree is the parent's.
inline Thread *ownTree() {
  Thread *T = ThisThread.Memory->Tree;
  return T != nullptr && links(T).Owner == T ? T : nullptr;
}

/// Sets Fast and FastNoting for T, the calling thread, once its timeline has
/// been started. MUTED: T is in a step outside the window.
void chooseFast(Thread *T, bool Muted);
/// Makes both NoLinks: the calling thread has no tree.
void forgetFast();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_OWN_TREE_H
