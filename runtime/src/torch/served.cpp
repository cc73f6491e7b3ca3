// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of kind SERVED, one for each node that they serve.

#include "served.h"

#include "base/clock.h"
#include "base/stack_mark.h"
#include "profile/counts.h"
#include "profile/node_links.h"
#include "profile/sites.h"
#include "tree/hook_tokens.h"
#include "tree/node_kinds.h"
#include "tree/slow_path.h"
#include "tree/spans.h"
#include "tree/threads.h"
#include "tree/tree.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
bool isFunctionOrOperator(const Node *N) {
  return N->kind == LOOPSCOPE_KIND_FUNCTION ||
         N->kind == LOOPSCOPE_KIND_OPERATOR;
}

// The child of ROOT for SERVED, made at the first visit.
Node *servedNode(Thread *T, Node *Root, const loopscope_site *Site,
                 const Node *Served) {
  uint64_t Key = uint64_t(Served->index) + 1;
  Node *N = findAmong(Root, [Key](Node *Each) {
    return Each->kind == LOOPSCOPE_KIND_SERVED && Each->samples == Key;
  });
  if (N != nullptr)
    return N;
  SlowPath Path;
  if (!Path)
    return nullptr;
  uint32_t Index = siteIndex(Site);
  if (Index == LOOPSCOPE_NONE) {
    count(LOOPSCOPE_COUNT_NODES_LOST);
    return nullptr;
  }
  N = makeNode(T, Root, Index, LOOPSCOPE_KIND_SERVED, 0, Site);
  if (N != nullptr)
    __atomic_store_n(&N->samples, Key, __ATOMIC_RELAXED);
  return N;
}
} // namespace

// T writes the state of a step's window in plain stores; a value read here was
// correct a moment ago.
__attribute__((no_sanitize("thread"))) const Node *
loopscope::runtime::openPhaseOf(Thread *T) {
  Node *N = innermostNode(T);
  if (N == nullptr)
    return nullptr;
  while (links(N).Parent != nullptr && isFunctionOrOperator(N))
    N = links(N).Parent;
  if (links(N).Parent == nullptr)
    return nullptr;
  bool IsMuted =
      (isStepDraw(N) || isBatch(N)) && links(links(N).Parent).Step.IsMuted != 0;
  return IsMuted ? nullptr : N;
}

loopscope_token loopscope::runtime::enterServed(Thread *T,
                                                const loopscope_site *Site,
                                                const Node *Served) {
  Node *N = servedNode(T, links(T).Current, Site, Served);
  if (N == nullptr)
    return nullptr;
  openSpan(T, N, now(), NoPlace);
  return tokenOf(N);
}
