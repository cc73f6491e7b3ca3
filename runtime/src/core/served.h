// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that a thread does for another one, whose phase waits for it: a node of
// kind SERVED below the root of the thread that works stands for that phase.

#ifndef LOOPSCOPE_CORE_SERVED_H
#define LOOPSCOPE_CORE_SERVED_H

#include "tree.h"

namespace loopscope::runtime {

/// The innermost span of T, from any thread, that is neither a function nor an
/// operator. Null where there is none, and in a step outside the window.
const Node *openPhaseOf(Thread *T);

/// Begins a span on T, the calling thread, which has none open, for SERVED, a
/// node of another thread. SITE names it to readers that don't know the kind.
/// Ends by loopscope_leave(). Null without memory (counted), and where the
/// thread is on a slow path.
loopscope_token enterServed(Thread *T, const loopscope_site *Site,
                            const Node *Served);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SERVED_H
