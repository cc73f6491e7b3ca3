// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares marks. A stack grows down: while a span is open, every hook is
// called from its function or from one that this called, that is from the same
// address or a lower one. A hook from a higher address proves that the function
// is gone.
//
// A guard that the compiler doesn't inline calls its hook from a lower address
// than the function's, by a frame of its own. So a higher address counts as
// higher only beyond Slack. The same address is enough if the same call of a
// hook runs again: its guard can't be alive, because a recursive call would be
// lower, and one that the compiler has inlined is another place in the code. A
// node knows the place of its last opening by a slow path.

#include "dead_spans.h"

#include "base/clock.h"
#include "base/own_stack.h"
#include "node_kinds.h"
#include "profile/node_links.h"
#include "unwind.h"

using namespace loopscope::runtime;

namespace {
constexpr int32_t Slack = 192;

struct DeadSpansState {
  bool Distrusted;
};
DeadSpansState State;

// How much lower on one stack the span of N is than the mark OF.
int32_t distance(const Node *N, KnownMark Of) {
  return static_cast<int32_t>(Of.Value - N->open);
}

bool looksDead(const Node *N, const loopscope_site *Site, KnownMark Of) {
  if (N->open == 0 || N->open == NoPlace.Value)
    return false;
  bool IsSameCall = distance(N, Of) == 0 && siteOf(N) == Site &&
                    N->writer_place == Of.Place && Of.Place != 0;
  return distance(N, Of) > Slack || IsSameCall;
}

// The outermost open node that looks dead and is on the thread's own stack.
Node *outermostDead(Thread *T, const loopscope_site *Site, KnownMark Of) {
  Node *Result = nullptr;
  StackRange Stack = {0, 0};
  for (Node *N = links(T).Current; N != nullptr; N = nodeAround(N)) {
    if (!looksDead(N, Site, Of))
      continue;
    if (Stack.High == 0)
      Stack = ownStack(T->is_main != 0);
    if (!Stack.has(Stack.addressOf(Of.Value)) ||
        !Stack.has(reinterpret_cast<uintptr_t>(__builtin_frame_address(0))))
      return nullptr;
    if (Stack.has(Stack.addressOf(N->open)))
      Result = N;
  }
  return Result;
}
} // namespace

void loopscope::runtime::endDeadSpans(Thread *T, const loopscope_site *Site,
                                      KnownMark Of) {
  if (State.Distrusted || Of.Value == NoPlace.Value)
    return;
  if (Node *N = outermostDead(T, Site, Of)) {
    uint64_t Now = now();
    popTo(T, N, Now);
    popInnermost(T, Now);
  }
}

bool loopscope::runtime::mayHaveDeadSpans(Thread *T, const loopscope_site *Site,
                                          KnownMark Of) {
  if (State.Distrusted || Of.Value == NoPlace.Value)
    return false;
  for (Node *N = links(T).Current; N != nullptr; N = nodeAround(N))
    if (looksDead(N, Site, Of))
      return true;
  return false;
}

void loopscope::runtime::distrustMarks() { State.Distrusted = true; }
