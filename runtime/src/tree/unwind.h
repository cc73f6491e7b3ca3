// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends of spans that aren't the innermost one, and of those that a jump left.

#ifndef LOOPSCOPE_TREE_UNWIND_H
#define LOOPSCOPE_TREE_UNWIND_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Closes everything that is open inside TARGET, an open node, at NOW.
void popTo(Thread *T, Node *Target, uint64_t Now);

/// Closes the innermost open node at NOW, which a jump left. If the jump left a
/// hook in the middle, what the hook had begun is finished, or given up and
/// counted.
void popInnermost(Thread *T, uint64_t Now);

/// The same for an open LOOP, whose next step then begins to draw; returns the
/// DRAW, or null if the tree was lost meanwhile (lost_file.h).
Node *popToDraw(Thread *T, Node *Loop, uint64_t Now);

/// Closes everything that is open on T, which the calling thread needn't be
/// running, at NOW. The nodes of spans that this ends early get FLAG, a
/// loopscope_node_flag.
void popAll(Thread *T, uint16_t Flag, uint64_t Now);

/// Whether N is an open node of the thread. Only compares addresses.
bool isOpen(Thread *T, const Node *N);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_UNWIND_H
