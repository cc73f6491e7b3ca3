// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans on the tree, with what is told of them: the timeline's events, and the
// borders that extensions ask for.

#ifndef LOOPSCOPE_TREE_SPANS_H
#define LOOPSCOPE_TREE_SPANS_H

#include "base/stack_mark.h"
#include "base/thread_links.h"

namespace loopscope::runtime {

/// Opens N, a child without a slow bit, and records it in the timeline.
void openSpan(Thread *T, Node *N, uint64_t Now, KnownMark Of);
/// The same for any child. It begins after what extensions do before it.
void beginSpan(Thread *T, Node *N, uint64_t Now, KnownMark Of,
               bool OnSlowPath = false);
/// Ends the innermost open node, an ordinary span, at NOW, also in the
/// timeline. What extensions do with it comes afterwards.
void endSpan(Thread *T, Node *N, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_SPANS_H
