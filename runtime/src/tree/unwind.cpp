// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closes nodes in the way of their kind.

#include "unwind.h"

#include "cut.h"
#include "node_kinds.h"
#include "profile/counts.h"
#include "profile/node_links.h"
#include "spans.h"
#include "steps.h"
#include "tree.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
// Where a walk to an open node ends if the tree was lost meanwhile
// (lost_file.h).
bool isRoot(Node *N) { return links(N).Parent == nullptr; }

// Counts the innermost span, N, as ended by something else than its own end.
void countPopped(Node *N) {
  count(LOOPSCOPE_COUNT_POPPED);
  N->popped += N->popped != UINT32_MAX ? 1 : 0;
}

// Makes what is around N innermost, without a span of N. A root stays, which N
// has become if the tree was lost meanwhile.
void dropNode(Thread *T, Node *N) {
  Node *Around = nodeAround(N);
  links(N).Cursor = links(N).FirstChild;
  if (Around != nullptr)
    links(T).Current = Around;
}
} // namespace

bool loopscope::runtime::isOpen(Thread *T, const Node *Wanted) {
  for (Node *N = links(T).Current; N != nullptr; N = nodeAround(N))
    if (N == Wanted)
      return true;
  return false;
}

void loopscope::runtime::popInnermost(Thread *T, uint64_t Now) {
  Node *N = links(T).Current;
  if (isLoopDraw(N)) {
    endLoopDraw(T, N, Now); // a loop ends normally
    return;
  }
  if (isBatch(N)) {
    countPopped(N);
    endLeftStep(T, N, Now);
    return;
  }
  if (giveUpRecord(N)) {
    dropNode(T, N);
    return;
  }
  if (N->open == 0 && !isExplicitDraw(N)) {
    // Left before its span began, or after it had ended.
    dropNode(T, N);
    return;
  }
  countPopped(N);
  if (isCut(N))
    endCut(T, N, Now);
  else if (isExplicitDraw(N))
    endExplicitDraw(T, N, Now);
  else
    endSpan(T, N, Now);
}

void loopscope::runtime::popTo(Thread *T, Node *Target, uint64_t Now) {
  while (links(T).Current != Target && !isRoot(links(T).Current))
    popInnermost(T, Now);
}

void loopscope::runtime::popAll(Thread *T, uint16_t Flag, uint64_t Now) {
  while (!isRoot(links(T).Current)) {
    Node *N = links(T).Current;
    uint32_t Before = N->popped;
    popInnermost(T, Now);
    if (N->popped != Before)
      __atomic_fetch_or(&N->flags, Flag, __ATOMIC_RELAXED);
  }
}

Node *loopscope::runtime::popToDraw(Thread *T, Node *Loop, uint64_t Now) {
  while (!isDrawOf(links(T).Current, Loop) && !isRoot(links(T).Current))
    popInnermost(T, Now);
  Node *N = links(T).Current;
  return isDrawOf(N, Loop) ? N : nullptr;
}
