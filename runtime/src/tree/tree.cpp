// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes at their first visit, and children found without prediction.

#include "tree.h"

#include "base/memory.h"
#include "node_pool.h"
#include "profile/sites.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t KnownSize = 512;

// A child that found no room. Looking for it among its siblings, which may be
// thousands, is skipped for a while.
struct LostChild {
  const Node *Parent;
  const loopscope_site *Site;
  uint64_t SkipsLeft; // lookups to skip before room is tried again
};
constexpr uint64_t SkipsAtOnce = 1024;

// Known points here: children found recently and lost children, both by a hash
// of parent and site.
struct KnownChildren {
  Node *Found[KnownSize];
  LostChild Lost[KnownSize];
};

uint64_t placeOf(const Node *Parent, const loopscope_site *Site) {
  uint64_t Key = reinterpret_cast<uint64_t>(Parent) >> 8;
  Key = Key * 0x9e3779b97f4a7c15U + (reinterpret_cast<uint64_t>(Site) >> 3);
  return (Key * 0x9e3779b97f4a7c15U) >> 55;
}

// The slot in Known for the child of PARENT that belongs to SITE.
Node *&knownChild(ThreadLinks &L, const Node *Parent,
                  const loopscope_site *Site) {
  return L.Known[placeOf(Parent, Site)];
}

// The same for a lost child. Known isn't null.
LostChild &lostChild(ThreadLinks &L, const Node *Parent,
                     const loopscope_site *Site) {
  return reinterpret_cast<KnownChildren *>(L.Known)
      ->Lost[placeOf(Parent, Site)];
}

// Makes Known, whose pages use memory only when touched. False: out of memory.
bool hasKnown(ThreadLinks &L) {
  if (L.Known != nullptr)
    return true;
  L.Known = static_cast<Node **>(mapMemory(sizeof(KnownChildren)));
  return L.Known != nullptr;
}

void remember(Thread *T, const loopscope_site *Site, Node *N) {
  ThreadLinks &L = links(T);
  if (hasKnown(L))
    knownChild(L, links(N).Parent, Site) = N;
}

} // namespace

void loopscope::runtime::rememberLost(Thread *T, const Node *Parent,
                                      const loopscope_site *Site) {
  ThreadLinks &L = links(T);
  if (hasKnown(L))
    lostChild(L, Parent, Site) = {Parent, Site, SkipsAtOnce};
}

Node *loopscope::runtime::takeNode(Thread *T) {
  ThreadLinks &L = links(T);
  if (L.ReserveCount == 0 && !refillNodes(T)) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  Node *N = L.Reserve++;
  --L.ReserveCount;
  N->index = T->reserve_index++;
  links(N) = {};
  links(N).FirstChild = noChild();
  links(N).Cursor = noChild();
  links(N).Histogram = L.ReserveHistograms++;
  links(N).Histogram->bucket[0] = UINT64_MAX;
  return N;
}

bool loopscope::runtime::giveUpRecord(Node *N) {
  if (N->sequence % 2 == 0)
    return false;
  count(LOOPSCOPE_COUNT_TORN);
  setSequenceAndClose(N, N->sequence + 1);
  return true;
}

Node *loopscope::runtime::makeNode(Thread *T, Node *Parent, uint32_t SiteIndex,
                                   uint16_t Kind, uint16_t Flags,
                                   const loopscope_site *Site) {
  Node *N = takeNode(T);
  if (N != nullptr)
    publishNode(T, N, Parent, SiteIndex, Kind, Flags, Site);
  return N;
}

void loopscope::runtime::publishNode(Thread *T, Node *N, Node *Parent,
                                     uint32_t SiteIndex, uint16_t Kind,
                                     uint16_t Flags,
                                     const loopscope_site *Site) {
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
  if (Parent == nullptr) {
    links(N).Successor = N;
    return;
  }
  Node *First = links(Parent).FirstChild;
  if (First == noChild()) {
    links(N).Successor = N;
    links(Parent).FirstChild = N;
    return;
  }
  Node *Last = findAmong(
      Parent, [First](Node *Each) { return links(Each).Successor == First; });
  links(N).Successor = First;
  if (Last != nullptr) // else the ring was lost meanwhile (lost_file.h)
    links(Last).Successor = N;
}

Node *loopscope::runtime::recallChild(ThreadLinks &L,
                                      const loopscope_site *Site) {
  if (L.Known == nullptr)
    return nullptr;
  Node *N = knownChild(L, L.Current, Site);
  return N != nullptr && links(N).Site == Site && links(N).Parent == L.Current
             ? N
             : nullptr;
}

Node *loopscope::runtime::recallMeasured(Thread *T,
                                         const loopscope_site *Site) {
  ThreadLinks &L = links(T);
  Node *N = L.Known == nullptr ? nullptr : knownChild(L, L.Current, Site);
  bool Is = N != nullptr && slowBitsOf(N) != 0 && siteOf(N) == Site &&
            links(N).Parent == L.Current;
  return Is ? N : nullptr;
}

// A signal handler's hooks may do the same meanwhile, so the number of skips is
// read once.
bool loopscope::runtime::isLost(Thread *T, const loopscope_site *Site) {
  ThreadLinks &L = links(T);
  if (L.Known == nullptr)
    return false;
  LostChild &Lost = lostChild(L, L.Current, Site);
  uint64_t SkipsLeft = __atomic_load_n(&Lost.SkipsLeft, __ATOMIC_RELAXED);
  if (Lost.Parent != L.Current || Lost.Site != Site || SkipsLeft == 0)
    return false;
  __atomic_store_n(&Lost.SkipsLeft, SkipsLeft - 1, __ATOMIC_RELAXED);
  count(LOOPSCOPE_COUNT_NODES_LOST);
  return true;
}

Node *loopscope::runtime::findChild(Thread *T, const loopscope_site *Site) {
  Node *Parent = links(T).Current;
  if (isLost(T, Site))
    return nullptr;
  Node *N =
      findAmong(Parent, [Site](Node *Each) { return siteOf(Each) == Site; });
  if (N != nullptr) {
    remember(T, Site, N);
    return N;
  }
  if (Parent->depth >= MaxDepth) {
    count(LOOPSCOPE_COUNT_DEPTH_FOLDED);
    return nullptr;
  }
  uint32_t Index = siteIndex(Site);
  if (Index == LOOPSCOPE_NONE) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  // One place in the source may have several descriptors: one for each instance
  // of a template, one in each library that has the same inline function. Spans
  // with a key are others.
  N = findAmong(Parent, [Index](Node *Each) {
    return Each->site == Index && siteOf(Each) != nullptr &&
           Each->flags >> LOOPSCOPE_NODE_KEY_SHIFT == 0;
  });
  if (N == nullptr) {
    N = makeNode(T, Parent, Index, Site->__kind, 0, Site);
    if (N == nullptr)
      rememberLost(T, Parent, Site);
    return N;
  }
  links(N).Site = reinterpret_cast<const loopscope_site *>(
      reinterpret_cast<uintptr_t>(Site) | slowBitsOf(N));
  return N;
}
