// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events that threads record.

#include "events.h"

#include "base/clock.h"
#include "base/slow_lock.h"
#include "profile/counts.h"
#include "slow_path.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

EventState loopscope::runtime::Events;

namespace {
uint64_t ReservedBytes; // of all the process's profiles
} // namespace

void loopscope::runtime::endEvents(Thread *T) {
  links(T).EventCursor =
      Subscriptions.SpansWatched ? &Subscriptions.NoBlock : nullptr;
  links(T).EventEnd = nullptr;
}

bool loopscope::runtime::beginBlock(Thread *T, uint64_t Ticks) {
  SlowPath Path;
  if (Path) {
    SlowLock Lock;
    if (Events.NextBlock(T, Ticks))
      return true;
  }
  count(LOOPSCOPE_COUNT_EVENTS_DROPPED);
  return false;
}

void loopscope::runtime::makeRoom(Thread *T, bool Adjacent) {
  // The beginning of a loop records the most events: its BEGIN, the first
  // STEP's BEGIN and NUMBER, and a DRAW's BEGIN.
  constexpr ptrdiff_t Most = 4;
  ThreadLinks &L = links(T);
  if (L.EventEnd == nullptr)
    return;
  uint64_t Ticks = Adjacent ? T->last_ticks : now();
  // Half of an event value's range, because the events come a little later.
  if (L.EventEnd - L.EventCursor < Most ||
      (Ticks - L.EventBase) >> (63 - EventValueShift) != 0)
    beginBlock(T, Ticks);
}

void loopscope::runtime::noteNumber(Thread *T, const Node *N, uint64_t Number) {
  ThreadLinks &L = links(T);
  if (L.EventCursor == nullptr || L.EventCursor == &Subscriptions.NoBlock)
    return;
  *L.EventCursor++ =
      Number << EventValueShift |
      uint64_t(LOOPSCOPE_EVENT_NUMBER) << LOOPSCOPE_EVENT_NODE_BITS | N->index;
}

void loopscope::runtime::resetEvents() { Events = {}; }

void loopscope::runtime::reserveEventBytes(uint64_t Bytes) {
  __atomic_fetch_add(&ReservedBytes, Bytes, __ATOMIC_RELAXED);
}

uint64_t loopscope::runtime::reservedEventBytes() {
  return __atomic_load_n(&ReservedBytes, __ATOMIC_RELAXED);
}
