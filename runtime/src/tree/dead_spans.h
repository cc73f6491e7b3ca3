// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open spans that were left by a jump: longjmp, siglongjmp out of a signal
// handler, a C++ exception through C without unwind tables. Their hooks never
// run, and everything later would nest below them.

#ifndef LOOPSCOPE_TREE_DEAD_SPANS_H
#define LOOPSCOPE_TREE_DEAD_SPANS_H

#include "base/stack_mark.h"
#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// Ends those open spans of T, the calling thread, whose functions can't be on
/// its stack any more, now that a hook for SITE is called from OF; counts them
/// as popped. Spans on other stacks (fibres, alternate signal stacks) and spans
/// without a place stay. For slow paths.
void endDeadSpans(Thread *T, const loopscope_site *Site, KnownMark Of);

/// Whether endDeadSpans() may have something to do. Fast, signal safe.
bool mayHaveDeadSpans(Thread *T, const loopscope_site *Site, KnownMark Of);

/// Turns endDeadSpans() off: marks made by the fast path aren't what they
/// should be in this build.
void distrustMarks();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_DEAD_SPANS_H
