// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time that an extension deliberately takes from the program. It is a span of
// its own node below the thread's root, and no other node's time includes it:
// when it ends, the start of every open span is moved by its duration, as an
// explicit draw does with its batch.
//
//   interrupted -> beginCut -> the cut's node is innermost -> endCut
//                                                          -> interrupted

#ifndef LOOPSCOPE_TREE_CUT_H
#define LOOPSCOPE_TREE_CUT_H

#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// The node for cuts of T, the calling thread, under SITE's name; made at the
/// first call. Null if out of memory. Call on a slow path.
Node *cutNode(Thread *T, const loopscope_site *Site);

/// Begins a cut at NOW; T, the calling thread, must not be in one. Returns its
/// start, which is later than NOW if the border is measured.
uint64_t beginCut(Thread *T, Node *Cut, uint64_t Now);
/// Begins a cut of which no extension hears until it ends: what it measures of
/// the spans that are open has no figures then.
void openCut(Thread *T, Node *Cut, uint64_t Now);
/// Ends the cut; CUT is the innermost open node. Returns its duration. The time
/// that measuring its border took lies between NOW and T->last_ticks.
uint64_t endCut(Thread *T, Node *Cut, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_CUT_H
