// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins and ends spans.

#include "spans.h"

#include "costs.h"
#include "events.h"
#include "extension.h"
#include "profile/node_links.h"
#include "subscriptions.h"
#include "tree.h"

using namespace loopscope::runtime;

void loopscope::runtime::openSpan(Thread *T, Node *N, uint64_t Now,
                                  KnownMark Of) {
  N->writer_place = Of.Place;
  openNode(links(T), N, Now, Of);
  noteEvent(T, LOOPSCOPE_EVENT_BEGIN, N, Now);
}

// Books what extensions took at a border of N, around it; returns the sum.
static uint64_t book(const TicksTaken &Taken, Node *N, bool OnSlowPath) {
  if (Taken.All != 0)
    bookCosts(Taken, links(N).Parent, OnSlowPath);
  return Taken.All;
}

void loopscope::runtime::beginSpan(Thread *T, Node *N, uint64_t Now,
                                   KnownMark Of, bool OnSlowPath) {
  if (isMeasured(N))
    Now += book(tellBorder(Border::SpanBegins, N, Now), N, OnSlowPath);
  if (isMarked(N))
    Now += book(tellMarkedBegins(N, Now), N, OnSlowPath);
  openSpan(T, N, Now, Of);
}

void loopscope::runtime::endSpan(Thread *T, Node *N, uint64_t Now) {
  closeNode<Longest::Perhaps>(links(T), N, elapsed(N->enter_ticks, Now), Now,
                              lastBucket(N));
  noteEvent(T, LOOPSCOPE_EVENT_END, N, Now);
  if (isMeasured(N))
    if (uint64_t Taken = book(tellBorder(Border::SpanEnded, N, Now), N, false))
      T->last_ticks = Now + Taken;
  if (isMarked(N))
    if (uint64_t Taken = book(tellMarkedEnded(N, T->last_ticks), N, false))
      T->last_ticks += Taken;
}
