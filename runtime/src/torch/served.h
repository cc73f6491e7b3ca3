// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that a thread does for another one, whose phase waits for it. A node of
// kind SERVED below the working thread's root stands for that phase.

#ifndef LOOPSCOPE_TORCH_SERVED_H
#define LOOPSCOPE_TORCH_SERVED_H

#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// T's innermost span that is neither a function nor an operator. Callable on
/// any thread. Null if there is none, and in a step outside the window.
const Node *openPhaseOf(Thread *T);

/// Begins a span on T, the calling thread, which has none open, on behalf of
/// SERVED, a node of another thread. SITE names it for readers that don't know
/// the kind. loopscope_leave() ends it. Null if out of memory (counted), or if
/// the thread is on a slow path.
loopscope_token enterServed(Thread *T, const loopscope_site *Site,
                            const Node *Served);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_SERVED_H
