// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time that an extension takes from the program on purpose. It is a span of a
// node of its own below the thread's root and in no other node's time: when it
// ends, the start of everything that is open moves on by it, as an explicit
// draw moves its batch's.
//
//   interrupted -> beginCut -> the cut's node is innermost -> endCut
//                                                          -> interrupted

#ifndef LOOPSCOPE_CORE_CUT_H
#define LOOPSCOPE_CORE_CUT_H

#include "steps.h"

namespace loopscope::runtime {

inline bool isCut(const Node *N) {
  return (N->flags & LOOPSCOPE_NODE_CUT) != 0 &&
         N->kind == LOOPSCOPE_KIND_PHASE;
}

/// The node around N in the order of opening: of an explicit draw and of a cut,
/// the node that it interrupted.
inline Node *nodeAround(Node *N) {
  if (isCut(N))
    return links(N).Cut.Interrupted;
  return isExplicitDraw(N) ? links(N).StepDraw.Interrupted : links(N).Parent;
}

/// The node of the cuts of T, the calling thread, under SITE's name, made at
/// the first call. Null without memory. On a slow path.
Node *cutNode(Thread *T, const loopscope_site *Site);

/// Begins a cut at NOW; T, the calling thread, is in none. Gives its start,
/// which is later where the border is measured.
uint64_t beginCut(Thread *T, Node *Cut, uint64_t Now);
/// Ends it; CUT is the innermost open node. Gives how long it was; what its
/// border takes lies between NOW and T->last_ticks.
uint64_t endCut(Thread *T, Node *Cut, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_CUT_H
