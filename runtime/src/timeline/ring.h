// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's ring of event blocks; see loopscope_event_block. What is
// written into them is core/events.h's.

#ifndef LOOPSCOPE_TIMELINE_RING_H
#define LOOPSCOPE_TIMELINE_RING_H

#include "core/tree.h"

namespace loopscope::runtime {

/// Gives a thread its first block, where the mode has a timeline and the thread
/// none.
void startTimeline(Thread *T);

/// Makes the chunk that writers will want next, if they do; whether they will
/// want another. On the background thread, without the slow lock.
bool makeEventChunk();

/// For a forked child: no ring.
void resetTimeline();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TIMELINE_RING_H
