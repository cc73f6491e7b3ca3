// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads note of their spans: events, one after the other, into a block
// that an extension gives them (loopscope_event_block), and to extensions that
// watch spans. Threads that note neither have a null EventCursor, and take the
// hooks' fast path.

#ifndef LOOPSCOPE_CORE_EVENTS_H
#define LOOPSCOPE_CORE_EVENTS_H

#include "extension.h"

namespace loopscope::runtime {

/// Who takes events.
struct EventState {
  /// Whether an extension watches spans; threads that do so have an
  /// EventCursor.
  bool SpansWatched;
  /// Whether an extension has asked for steps' ends.
  bool StepsWatched;
  /// Whether an extension measures at borders; see measureBorders().
  bool BordersWatched;
  /// The extensions that watch all spans, a bit each.
  uint32_t WatchingAll;
  /// Where EventCursor points for threads that have no block and whose spans
  /// are watched.
  uint64_t NoBlock;
  /// Gives T a block whose first event can be at TICKS, in place of the one
  /// that it has; false where there is none. Null without a timeline. Slow lock
  /// held.
  bool (*NextBlock)(Thread *T, uint64_t Ticks);
};
extern __attribute__((visibility("hidden"))) EventState Events;

/// Takes the block away from a thread for good.
void endEvents(Thread *T);

/// Notes an event of N at TICKS; in a new block when the thread's is full or
/// its base is too long ago. Nothing for threads that note nothing.
inline void noteEvent(Thread *T, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks);

/// Notes a NUMBER of N. Always fits, as it follows an event of the same moment
/// and blocks keep a word free for it.
void noteNumber(Thread *T, const Node *N, uint64_t Number);

/// A new block for T whose first event can be at TICKS; false without memory,
/// and on a slow path.
bool beginBlock(Thread *T, uint64_t Ticks);

/// Makes sure that what one hook notes, from now on or, if it is ADJACENT, from
/// the thread's last clock reading on, needs no new block. For the slow paths,
/// before they begin. Reads no clock without a block.
void makeRoom(Thread *T, bool Adjacent);

/// For a forked child: no blocks, and nobody watches.
void resetEvents();

/// Where an event's value starts.
constexpr unsigned EventValueShift =
    LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS;

inline void noteEvent(Thread *T, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks) {
  ThreadLinks &L = links(T);
  if (L.EventCursor == nullptr)
    return;
  if (__builtin_expect(Events.SpansWatched, false)) {
    tellSpanEvent(Type, N, Ticks);
    if (L.EventCursor == &Events.NoBlock)
      return;
  }
  uint64_t Value = Ticks - L.EventBase;
  if (__builtin_expect(L.EventCursor >= L.EventEnd ||
                           Value >> (64 - EventValueShift) != 0,
                       false)) {
    if (!beginBlock(T, Ticks))
      return;
    Value = Ticks - L.EventBase;
  }
  // The cursor first: a signal handler's event then takes the next place.
  uint64_t *Event = L.EventCursor++;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *Event = Value << EventValueShift |
           static_cast<uint64_t>(Type) << LOOPSCOPE_EVENT_NODE_BITS | N->index;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_EVENTS_H
