// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events that threads record about their spans: in sequence, into a block from
// an extension (loopscope_event_block), and to extensions that watch spans. A
// thread that does neither has a null EventCursor and takes the hooks' fast
// path.

#ifndef LOOPSCOPE_TREE_EVENTS_H
#define LOOPSCOPE_TREE_EVENTS_H

#include "profile/node_links.h"
#include "subscriptions.h"

namespace loopscope::runtime {

/// Where blocks come from.
struct EventState {
  /// Replaces T's block by one whose first event can be at TICKS; false if none
  /// is available. Null without a timeline. Call with the slow lock held.
  bool (*NextBlock)(Thread *T, uint64_t Ticks);
};
extern __attribute__((visibility("hidden"))) EventState Events;

/// Takes the block away from a thread that ends.
void endEvents(Thread *T);

/// Records an event of N at TICKS, in a new block if the thread's is full or
/// its base is too old. Does nothing on threads that record nothing.
inline void noteEvent(Thread *T, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks);

/// Records a NUMBER of N. It always fits: it follows an event of the same
/// moment, and blocks keep one word free for it.
void noteNumber(Thread *T, const Node *N, uint64_t Number);

/// Gives T a new block whose first event can be at TICKS; false if out of
/// memory or on a slow path.
bool beginBlock(Thread *T, uint64_t Ticks);

/// Ensures that the events of one hook fit without a new block: from now on or,
/// if ADJACENT, from the thread's last clock reading. Call it at the start of a
/// slow path. Reads no clock if the thread has no block.
void makeRoom(Thread *T, bool Adjacent);

/// For a forked child: drops all blocks.
void resetEvents();

/// The lowest bit of an event's value.
constexpr unsigned EventValueShift =
    LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS;

inline void noteEvent(ThreadLinks &L, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks) {
  if (L.EventCursor == nullptr)
    return;
  if (__builtin_expect(Subscriptions.SpansWatched, false)) {
    tellSpanEvent(Type, N, Ticks);
    if (L.EventCursor == &Subscriptions.NoBlock)
      return;
  }
  uint64_t Value = Ticks - L.EventBase;
  if (__builtin_expect(L.EventCursor >= L.EventEnd ||
                           Value >> (64 - EventValueShift) != 0,
                       false)) {
    if (!beginBlock(L.Owner, Ticks))
      return;
    Value = Ticks - L.EventBase;
  }
  // Advance the cursor first, so that a signal handler's event takes the next
  // place.
  uint64_t *Event = L.EventCursor++;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *Event = Value << EventValueShift |
           static_cast<uint64_t>(Type) << LOOPSCOPE_EVENT_NODE_BITS | N->index;
}
inline void noteEvent(Thread *T, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks) {
  noteEvent(links(T), Type, N, Ticks);
}

/// Reserves BYTES of the timeline's size limit (Process.Settings.EventBytes)
/// for other events.
void reserveEventBytes(uint64_t Bytes);
/// Bytes reserved so far. Any thread.
uint64_t reservedEventBytes();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_EVENTS_H
