// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for nodes, in chunks of the profile.

#ifndef LOOPSCOPE_TREE_NODE_POOL_H
#define LOOPSCOPE_TREE_NODE_POOL_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Gives T unused nodes; false if out of memory. Takes the slow lock.
bool refillNodes(Thread *T);
/// The same with the lock held.
bool takeNodes(Thread *T);

/// For a forked child: forgets the nodes.
void resetNodePool();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_NODE_POOL_H
