// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events that threads record, and the watchers of spans and steps.

#include "events.h"

#include "capture.h"
#include "process.h"
#include "steps.h"
#include "sums.h"
#include "threads.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

EventState loopscope::runtime::Events;
uint32_t loopscope::runtime::CapturingStreams;

namespace {
uint32_t bitOf(const Extension &Who) {
  uint32_t Bit = 1;
  for (const Extension *Each : Extensions) {
    if (Each == &Who)
      return Bit;
    Bit <<= 1;
  }
  return 0;
}

// The extensions that watch the spans of N. For a loop the word has another
// meaning.
uint32_t watchersOf(const Node *N) {
  bool IsLoop =
      N->kind == LOOPSCOPE_KIND_TRAIN || N->kind == LOOPSCOPE_KIND_VALID;
  return Events.WatchingAll |
         (IsLoop ? 0 : word(const_cast<Node *>(N)).Watchers);
}

// Calls FUNCTION of each extension that has it.
template <typename... Parameters>
TicksTaken askAll(uint64_t (*Extension::*Function)(Parameters...),
                  Parameters... Arguments) {
  TicksTaken Taken = {};
  uint32_t I = 0;
  for (const Extension *Each : Extensions) {
    if (Each->*Function != nullptr)
      Taken.All += Taken.By[I] = (Each->*Function)(Arguments...);
    ++I;
  }
  return Taken;
}

// Makes the calling thread record its spans from now on.
void noteFromNow() {
  __atomic_store_n(&Events.SpansWatched, true, __ATOMIC_RELAXED);
  Thread *T = ownTree();
  if (T == nullptr || links(T).EventCursor != nullptr)
    return;
  bool Muted = ThisThread.Fast == &NoLinks;
  links(T).EventCursor = &Events.NoBlock;
  chooseFast(T, Muted);
}
} // namespace

void loopscope::runtime::measureBorders() { Events.BordersWatched = true; }

static void setSlowBit(Node *N, uintptr_t Bit, bool Value) {
  // When a library is unloaded, another thread changes the address meanwhile.
  auto *Site = reinterpret_cast<uintptr_t *>(&links(N).Site);
  if (Value)
    __atomic_fetch_or(Site, Bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(Site, ~Bit, __ATOMIC_RELAXED);
}

void loopscope::runtime::measureSpans(Node *N, bool Measured) {
  setSlowBit(N, MeasuredBit, Measured);
}

void loopscope::runtime::lengthenSpans(Node *N, bool Lengthened) {
  setSlowBit(N, LengthenedBit, Lengthened);
}

void loopscope::runtime::recordSpans(Node *N) {
  setSlowBit(N, RecordedBit, true);
}

void loopscope::runtime::watchSteps() { Events.StepsWatched = true; }

void loopscope::runtime::watchSpans(const Extension &Who) {
  __atomic_fetch_or(&Events.WatchingAll, bitOf(Who), __ATOMIC_RELAXED);
  noteFromNow();
}

void loopscope::runtime::watchSpans(const Extension &Who, Node *N) {
  word(N).Watchers |= bitOf(Who);
  noteFromNow();
}

// The node whose self time pays for the ticks of a watcher of N's spans: the
// node that is open when the watcher returns. A step ends before its next draw
// begins.
static Node *payerOf(loopscope_event_type Type, const Node *N) {
  Node *Innermost = links(ThisThread.Memory->Tree).Current;
  bool EndsStep = Type == LOOPSCOPE_EVENT_END && Innermost != nullptr &&
                  isBatch(Innermost) &&
                  (N == Innermost || N == links(Innermost).Parent);
  return EndsStep ? links(links(Innermost).Parent).FirstChild : Innermost;
}

void loopscope::runtime::tellSpanEvent(loopscope_event_type Type, const Node *N,
                                       uint64_t Now) {
  if (Type == LOOPSCOPE_EVENT_NUMBER)
    return;
  auto Function = Type == LOOPSCOPE_EVENT_BEGIN ? &Extension::SpanBegan
                                                : &Extension::SpanEnded;
  uint32_t Watchers = watchersOf(N);
  TicksTaken Taken = {};
  uint32_t I = 0;
  for (const Extension *Each : Extensions) {
    if ((Watchers >> I & 1) != 0 && Each->*Function != nullptr)
      Taken.All += Taken.By[I] = (Each->*Function)(N, Now);
    ++I;
  }
  if (Taken.All != 0 && ownTree() != nullptr)
    bookCosts(Taken, payerOf(Type, N), false);
}

TicksTaken loopscope::runtime::tellNewCallPath(Node *N) {
  return askAll(&Extension::NewCallPath, N);
}

TicksTaken loopscope::runtime::tellFunctionDue(Node *N, unsigned char *Off) {
  return askAll(&Extension::FunctionDue, N, Off);
}

TicksTaken loopscope::runtime::tellLengthenedBegins(Node *N, uint64_t Now) {
  return askAll(&Extension::LengthenedBegins, N, Now);
}

TicksTaken loopscope::runtime::tellCollectiveBegins(Node *N, uint64_t Now) {
  return askAll(&Extension::CollectiveBegins, N, Now);
}

TicksTaken loopscope::runtime::tellCollectiveEnded(Node *N, uint64_t Now) {
  return askAll(&Extension::CollectiveEnded, N, Now);
}

TicksTaken loopscope::runtime::tellStepEnded(Node *Step, uint64_t Steps,
                                             uint64_t Now) {
  return askAll(&Extension::StepEnded, Step, Steps, Now);
}

TicksTaken loopscope::runtime::tellBorder(Border What, Node *N, uint64_t Now) {
  return askAll(&Extension::AtBorder, What, N, Now);
}

TicksTaken loopscope::runtime::tellStepBorder(Node *Ended, Node *Next,
                                              uint64_t Now, uint64_t &LookAt) {
  if (!Events.BordersWatched)
    return {};
  return askAll<Node *, Node *, uint64_t, uint64_t &>(&Extension::AtStepBorder,
                                                      Ended, Next, Now, LookAt);
}

void loopscope::runtime::bookCosts(const TicksTaken &Taken, Node *N,
                                   bool OnSlowPath) {
  uint32_t I = 0;
  for (const Extension *Each : Extensions) {
    uint64_t Ticks = Taken.By[I++];
    if (Ticks == 0 || Each->CostKey == nullptr)
      continue;
    SumId Cost = findSum(Each->CostKey);
    if (OnSlowPath)
      addToNode(Cost, N->index, Ticks);
    else
      bookCost(Cost, N, Ticks);
  }
}

void loopscope::runtime::bookCost(SumId Cost, const Node *N, uint64_t Ticks) {
  if (addToKnownNode(Cost, N->index, Ticks))
    return;
  if (SlowPath Path(false); Path)
    addToNode(Cost, N->index, Ticks);
}

void loopscope::runtime::endEvents(Thread *T) {
  links(T).EventCursor = Events.SpansWatched ? &Events.NoBlock : nullptr;
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
  if (L.EventCursor == nullptr || L.EventCursor == &Events.NoBlock)
    return;
  *L.EventCursor++ =
      Number << EventValueShift |
      uint64_t(LOOPSCOPE_EVENT_NUMBER) << LOOPSCOPE_EVENT_NODE_BITS | N->index;
}

void loopscope::runtime::resetEvents() {
  Events = {};
  CapturingStreams = 0;
}
