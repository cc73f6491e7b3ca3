// The timeline: events of a thread in a block of the ring; see
// loopscope_event_block.
#pragma once

#include "core/tree.h"
#include "nvtx/emit.h"

namespace loopscope::runtime {

/// Where EventCursor points for threads without a timeline whose events are
/// emitted as NVTX ranges.
extern uint64_t NoTimeline;

/// Notes an event of N at TICKS; a new block when the thread's is full or its
/// base is too long ago. Nothing without a timeline.
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
/// before they begin. Reads no clock without a timeline.
void makeRoom(Thread *T, bool Adjacent);

/// Starts the timeline of a thread, where the mode has one.
void startEvents(Thread *T, uint64_t Ticks);

/// Makes the chunk that writers will want next, if they do; whether they will
/// want another. Called by the sampler's thread, without the slow lock.
bool makeEventChunk();

/// For a forked child: no ring.
void abandonEvents();

/// Where an event's value starts.
constexpr unsigned EventValueShift =
    LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS;

inline void noteEvent(Thread *T, loopscope_event_type Type, const Node *N,
                      uint64_t Ticks) {
  ThreadLinks &L = links(T);
  if (L.EventCursor == nullptr)
    return;
  if (__builtin_expect(EmittingNvtx, false)) {
    emitEvent(Type, N);
    if (L.EventCursor == &NoTimeline)
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
