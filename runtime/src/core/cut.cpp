// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts on the tree.

#include "cut.h"

#include "events.h"
#include "sites.h"

using namespace loopscope::runtime;

Node *loopscope::runtime::cutNode(Thread *T, const loopscope_site *Site) {
  Node *Root = links(T).Current;
  while (links(Root).Parent != nullptr)
    Root = links(Root).Parent;
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

void loopscope::runtime::beginCut(Thread *T, Node *Cut, uint64_t Now) {
  links(Cut).Cut.Interrupted = links(T).Current;
  openSpan(T, Cut, Now);
}

uint64_t loopscope::runtime::endCut(Thread *T, Node *Cut, uint64_t Now) {
  uint64_t Duration = elapsed(Cut->enter_ticks, Now);
  Node *Interrupted = links(Cut).Cut.Interrupted;
  record(Cut, Duration);
  noteEvent(T, LOOPSCOPE_EVENT_END, Cut, Now);
  for (Node *N = Interrupted; links(N).Parent != nullptr; N = nodeAround(N))
    N->enter_ticks += Duration;
  links(Cut).Cursor = links(Cut).FirstChild;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Interrupted;
  return Duration;
}
