// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's ring of event blocks; see loopscope_event_block. Their
// contents are defined in tree/events.h.

#ifndef LOOPSCOPE_TIMELINE_RING_H
#define LOOPSCOPE_TIMELINE_RING_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Gives a thread its first block, if the mode has a timeline and the thread
/// has no block.
void startTimeline(Thread *T);

/// Makes the chunk that writers will need next, if any; returns whether they
/// will need another. Call on the background thread, without the slow lock.
bool makeEventChunk();

/// For a forked child, which has no ring.
void resetTimeline();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TIMELINE_RING_H
