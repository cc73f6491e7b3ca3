// The slow half of the tree: nodes at their first visit, and ends that don't
// match the innermost open span.
#include "tree.h"

#include "sites.h"
#include "steps.h"
#include "threads.h"

using namespace loopscope::runtime;

namespace {
// Takes the next unused node of the thread's reserve.
Node *takeNode(Thread *T) {
  ThreadLinks &L = links(T);
  if (L.ReserveCount == 0 && !refillNodes(T)) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  Node *N = L.Reserve++;
  --L.ReserveCount;
  N->index = static_cast<uint32_t>(L.ReserveIndex++);
  links(N) = {};
  links(N).Histogram = L.ReserveHistograms++;
  return N;
}

// The node above N in the order of opening: of an explicit draw, the node that
// it interrupted.
Node *nodeBelow(Node *N) {
  return isExplicitDraw(N) ? reinterpret_cast<Node *>(links(N).Special)
                           : links(N).Parent;
}

// Ends the innermost open node.
void popOne(Thread *T, uint64_t Now) {
  Node *N = links(T).Current;
  if (isLoopDraw(N)) {
    endLoopDraw(T, N, Now); // the ordinary end of a loop
    return;
  }
  count(LOOPSCOPE_COUNT_POPPED);
  if (isExplicitDraw(N))
    endExplicitDraw(T, N, Now);
  else if (isBatch(N))
    endStep(T, N, Now);
  else
    closeNode(T, N, Now);
}
} // namespace

Node *loopscope::runtime::makeNode(Thread *T, Node *Parent, uint32_t SiteIndex,
                                   uint16_t Kind, uint16_t Flags,
                                   const loopscope_site *Site) {
  Node *N = takeNode(T);
  if (N == nullptr)
    return nullptr;
  links(N).Parent = Parent;
  links(N).Site = Site;
  N->parent = Parent == nullptr ? LOOPSCOPE_NONE : Parent->index;
  N->depth = Parent == nullptr ? 0 : Parent->depth + 1;
  N->thread = T->index;
  N->site = SiteIndex;
  N->kind = Kind;
  N->flags = Flags;
  N->min_ticks = UINT64_MAX;
  __atomic_store_n(&N->state, 1U, __ATOMIC_RELEASE);
  if (Parent != nullptr) {
    Node **Last = &links(Parent).FirstChild;
    while (*Last != nullptr)
      Last = &links(*Last).NextSibling;
    *Last = N;
  }
  return N;
}

Node *loopscope::runtime::findChild(Thread *T, const loopscope_site *Site) {
  Node *Parent = links(T).Current;
  for (Node *N = links(Parent).FirstChild; N != nullptr;
       N = links(N).NextSibling)
    if (links(N).Site == Site)
      return N;
  if (Parent->depth >= MaxDepth) {
    count(LOOPSCOPE_COUNT_DEPTH_FOLDED);
    return nullptr;
  }
  uint32_t Index = siteIndex(Site);
  if (Index == LOOPSCOPE_NONE) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  // One place in the source can have several descriptors: one for each instance
  // of a template, one in each library that has the same inline function.
  for (Node *N = links(Parent).FirstChild; N != nullptr;
       N = links(N).NextSibling)
    if (N->site == Index && links(N).Site != nullptr) {
      links(N).Site = Site;
      return N;
    }
  return makeNode(T, Parent, Index, Site->kind, 0, Site);
}

bool loopscope::runtime::isOpen(Thread *T, const Node *Wanted) {
  for (Node *N = links(T).Current; N != nullptr; N = nodeBelow(N))
    if (N == Wanted)
      return true;
  return false;
}

void loopscope::runtime::popTo(Thread *T, Node *Target, uint64_t Now) {
  while (links(T).Current != Target)
    popOne(T, Now);
}

Node *loopscope::runtime::popToDraw(Thread *T, Node *Loop, uint64_t Now) {
  while (!isLoopDraw(links(T).Current) ||
         links(links(links(T).Current).Parent).Parent != Loop)
    popOne(T, Now);
  return links(T).Current;
}
