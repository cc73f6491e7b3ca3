// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a part of a run has of the call paths and threads.
//
// A span counts in the part in which it ends. Its time is in each part as far
// as it falls into it: the time of a span that was open when the part began, as
// a reader of the earlier profile sees it, is taken out of its node.

#ifndef LOOPSCOPE_RUN_READ_SUBTRACTTREE_H
#define LOOPSCOPE_RUN_READ_SUBTRACTTREE_H

#include "Run/Read/SubtractRules.h"

namespace loopscope {

/// Subtracts in nodes and threads. Call paths that the part has nothing of, and
/// to which no record in \p Learned refers, are no longer there. The spans that
/// were open in the earlier profile are in \p Learned, too.
void subtractTree(TwoProfiles &Both, Subtracted &Learned);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SUBTRACTTREE_H
