// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscribers, and calls of their functions.

#include "subscriptions.h"

#include "base/thread_memory.h"
#include "node_kinds.h"
#include "own_tree.h"

using namespace loopscope::runtime;

SubscriptionState loopscope::runtime::Subscriptions;

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
  return Subscriptions.WatchingAll |
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

// Calls VISIT(extension, its index, its mark) for those that have marks.
template <typename Function> void forMarking(Function Visit) {
  uintptr_t Mark = FirstMark;
  uint32_t I = 0;
  for (const Extension *Each : Extensions) {
    bool HasMark = Each->MarkedBegins != nullptr ||
                   Each->MarkedEnded != nullptr || Each->MarkedLeft != nullptr;
    if (HasMark && (Mark & AllMarks) != 0) {
      Visit(*Each, I, Mark);
      Mark <<= 1;
    }
    ++I;
  }
}

// Calls FUNCTION of each extension that has marked N, one after the other.
TicksTaken askMarking(uint64_t (*Extension::*Function)(Node *, uint64_t),
                      Node *N, uint64_t Now) {
  TicksTaken Taken = {};
  forMarking([&](const Extension &Each, uint32_t Index, uintptr_t Mark) {
    if ((slowBitsOf(N) & Mark) != 0 && Each.*Function != nullptr)
      Taken.All += Taken.By[Index] = (Each.*Function)(N, Now + Taken.All);
  });
  return Taken;
}

// Makes the calling thread record its spans from now on.
void noteFromNow() {
  __atomic_store_n(&Subscriptions.SpansWatched, true, __ATOMIC_RELAXED);
  Thread *T = ownTree();
  if (T == nullptr || links(T).EventCursor != nullptr)
    return;
  bool Muted = ThisThread.Fast == &NoLinks;
  links(T).EventCursor = &Subscriptions.NoBlock;
  chooseFast(T, Muted);
}
} // namespace

void loopscope::runtime::measureBorders() {
  Subscriptions.BordersWatched = true;
}

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

void loopscope::runtime::markSpans(const Extension &Who, Node *N, bool Marked) {
  forMarking([&](const Extension &Each, uint32_t /*Index*/, uintptr_t Mark) {
    if (&Each == &Who)
      setSlowBit(N, Mark, Marked);
  });
}

void loopscope::runtime::watchSteps() { Subscriptions.StepsWatched = true; }

void loopscope::runtime::watchSpans(const Extension &Who) {
  __atomic_fetch_or(&Subscriptions.WatchingAll, bitOf(Who), __ATOMIC_RELAXED);
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

TicksTaken loopscope::runtime::tellMarkedBegins(Node *N, uint64_t Now) {
  return askMarking(&Extension::MarkedBegins, N, Now);
}

TicksTaken loopscope::runtime::tellMarkedEnded(Node *N, uint64_t Now) {
  return askMarking(&Extension::MarkedEnded, N, Now);
}

void loopscope::runtime::tellMarkedLeft(Thread *T, Node *N) {
  forMarking([&](const Extension &Each, uint32_t /*Index*/, uintptr_t Mark) {
    if ((slowBitsOf(N) & Mark) != 0 && Each.MarkedLeft != nullptr)
      Each.MarkedLeft(T, N);
  });
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
  if (!Subscriptions.BordersWatched)
    return {};
  return askAll<Node *, Node *, uint64_t, uint64_t &>(&Extension::AtStepBorder,
                                                      Ended, Next, Now, LookAt);
}

void loopscope::runtime::resetSubscriptions() { Subscriptions = {}; }
