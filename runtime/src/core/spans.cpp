// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins and ends spans.

#include "spans.h"

#include "costs.h"
#include "events.h"
#include "extension.h"
#include "node_links.h"
#include "subscriptions.h"
#include "tree.h"

using namespace loopscope::runtime;

void loopscope::runtime::openSpan(Thread *T, Node *N, uint64_t Now,
                                  KnownMark Of) {
  N->writer_place = Of.Place;
  openNode(links(T), N, Now, Of);
  noteEvent(T, LOOPSCOPE_EVENT_BEGIN, N, Now);
}

void loopscope::runtime::beginSpan(Thread *T, Node *N, uint64_t Now,
                                   KnownMark Of, bool OnSlowPath) {
  if (isMeasured(N)) {
    TicksTaken Taken = tellBorder(Border::SpanBegins, N, Now);
    if (Taken.All != 0) {
      bookCosts(Taken, links(N).Parent, OnSlowPath);
      Now += Taken.All;
    }
  }
  if (isLengthened(N)) {
    TicksTaken Taken = tellLengthenedBegins(N, Now);
    if (Taken.All != 0) {
      bookCosts(Taken, links(N).Parent, OnSlowPath);
      Now += Taken.All;
    }
  }
  if (isRecorded(N)) {
    links(N).Collective.Bytes = 0;
    TicksTaken Taken = tellCollectiveBegins(N, Now);
    if (Taken.All != 0) {
      bookCosts(Taken, links(N).Parent, OnSlowPath);
      Now += Taken.All;
    }
  }
  openSpan(T, N, Now, Of);
}

void loopscope::runtime::endSpan(Thread *T, Node *N, uint64_t Now) {
  closeNode<Longest::Perhaps>(links(T), N, elapsed(N->enter_ticks, Now), Now,
                              lastBucket(N));
  noteEvent(T, LOOPSCOPE_EVENT_END, N, Now);
  if (isMeasured(N)) {
    TicksTaken Taken = tellBorder(Border::SpanEnded, N, Now);
    if (Taken.All != 0) {
      bookCosts(Taken, links(N).Parent, false);
      T->last_ticks = Now + Taken.All;
    }
  }
  if (isRecorded(N)) {
    TicksTaken Taken = tellCollectiveEnded(N, T->last_ticks);
    if (Taken.All != 0) {
      bookCosts(Taken, links(N).Parent, false);
      T->last_ticks += Taken.All;
    }
  }
}
