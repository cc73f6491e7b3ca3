// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts on the tree.

#include "cut.h"

#include "base/stack_mark.h"
#include "costs.h"
#include "events.h"
#include "extension.h"
#include "node_kinds.h"
#include "profile/node_links.h"
#include "profile/sites.h"
#include "spans.h"
#include "subscriptions.h"
#include "tree.h"

using namespace loopscope::runtime;

Node *loopscope::runtime::cutNode(Thread *T, const loopscope_site *Site) {
  Node *Root = rootOf(T);
  Node *Found = findAmong(
      Root, [Site](Node *Each) { return isCut(Each) && siteOf(Each) == Site; });
  if (Found != nullptr)
    return Found;
  uint32_t Index = siteIndex(Site);
  if (Index == LOOPSCOPE_NONE)
    return nullptr;
  return makeNode(T, Root, Index, LOOPSCOPE_KIND_PHASE, LOOPSCOPE_NODE_CUT,
                  Site);
}

// Reports a border at NOW of the cut that interrupted N; returns the time after
// the report.
static uint64_t tellCut(Border What, Node *N, uint64_t Now) {
  if (!Subscriptions.BordersWatched)
    return Now;
  TicksTaken Taken = tellBorder(What, N, Now);
  if (Taken.All != 0)
    bookCosts(Taken, N, false);
  return Now + Taken.All;
}

void loopscope::runtime::openCut(Thread *T, Node *Cut, uint64_t Now) {
  links(Cut).Cut.Interrupted = links(T).Current;
  openSpan(T, Cut, Now, NoPlace);
}

uint64_t loopscope::runtime::beginCut(Thread *T, Node *Cut, uint64_t Now) {
  uint64_t Start = tellCut(Border::CutBegan, links(T).Current, Now);
  openCut(T, Cut, Start);
  return Start;
}

uint64_t loopscope::runtime::endCut(Thread *T, Node *Cut, uint64_t Now) {
  uint64_t Duration = elapsed(Cut->enter_ticks, Now);
  Node *Interrupted = nodeAround(Cut);
  record(Cut, Duration);
  noteEvent(T, LOOPSCOPE_EVENT_END, Cut, Now);
  for (Node *N = Interrupted; links(N).Parent != nullptr; N = nodeAround(N))
    N->enter_ticks += Duration;
  links(Cut).Cursor = links(Cut).FirstChild;
  T->last_ticks = tellCut(Border::CutEnded, Interrupted, Now);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Interrupted;
  return Duration;
}
