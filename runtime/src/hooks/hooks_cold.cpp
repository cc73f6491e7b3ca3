// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cold tier of the hooks; see hook_tiers.h.

#include "hooks_cold.h"

#include "base/clock.h"
#include "base/objects.h"
#include "process/attach.h"
#include "process/process.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sites.h"
#include "profile/sums.h"
#include "tree/costs.h"
#include "tree/dead_spans.h"
#include "tree/events.h"
#include "tree/hook_tokens.h"
#include "tree/keys.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/pause.h"
#include "tree/slow_path.h"
#include "tree/spans.h"
#include "tree/steps.h"
#include "tree/subscriptions.h"
#include "tree/threads.h"
#include "tree/tree.h"
#include "tree/unwind.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
bool isLoopKind(const loopscope_site *Site) {
  return Site->__kind == LOOPSCOPE_KIND_TRAIN ||
         Site->__kind == LOOPSCOPE_KIND_VALID;
}

// The kinds that users may time as plain spans.
bool isSpanKind(const loopscope_site *Site) {
  return (Site->__kind >= LOOPSCOPE_KIND_PHASE &&
          Site->__kind <= LOOPSCOPE_KIND_EPOCH) ||
         Site->__kind == LOOPSCOPE_KIND_DRAW ||
         Site->__kind == LOOPSCOPE_KIND_WAIT ||
         Site->__kind == LOOPSCOPE_KIND_COLLECTIVE ||
         Site->__kind == LOOPSCOPE_KIND_OPERATOR ||
         (Site->__kind == LOOPSCOPE_KIND_FUNCTION &&
          __loopscope_functions_active != 0);
}

// Of those, the kinds whose spans may have a key.
bool isKeyedKind(const loopscope_site *Site) {
  return Site->__kind <= LOOPSCOPE_KIND_EPOCH ||
         Site->__kind == LOOPSCOPE_KIND_WAIT;
}

// SITE is the first word of its keyed site.
const KeyedSite *keyed(const loopscope_site *Site) {
  static_assert(offsetof(KeyedSite, __site) == 0);
  return reinterpret_cast<const KeyedSite *>(Site);
}

// A child that the slow path found or made.
struct Found {
  Node *Child;
  bool TookTime; // not only for the child itself
};

Found findOrMakeChild(Thread *T, const loopscope_site *Site,
                      const Key *K = nullptr) {
  uint32_t Unused = T->reserve_index;
  Node *N = K == nullptr ? findChild(T, Site) : findKeyed(T, keyed(Site), *K);
  bool IsNew = N != nullptr && T->reserve_index != Unused;
  if (!IsNew)
    return {N, false};
  TicksTaken Taken = tellNewCallPath(N);
  if (Taken.All != 0)
    bookCosts(Taken, links(N).Parent, true);
  return {N, Taken.All != 0};
}
} // namespace

loopscope_token loopscope::runtime::enterFirst(const loopscope_site *Site,
                                               bool Adjacent, KnownMark Of,
                                               const Key *K) {
  if (const Entries *Other = otherRuntime(); Other != nullptr && K != nullptr)
    return Other->EnterKeyed(keyed(Site), *K, Adjacent);
  else if (Other != nullptr)
    return Adjacent ? Other->EnterAdjacent(Site) : Other->Enter(Site);
  if (__loopscope_active == 0)
    return nullptr;
  if (Thread *T = ownTree()) {
    // A slow path costs two system calls, and a program with too many call
    // paths may lose most of its spans.
    if (!mayHaveDeadSpans(T, Site, Of) && isLost(T, Site))
      return nullptr;
    makeRoom(T, Adjacent);
  }
  SlowPath Path;
  Thread *T = Path ? attachThread() : nullptr;
  if (T == nullptr)
    return nullptr;
  uint64_t Last = T->last_ticks;
  if (!isSpanKind(Site) || (K != nullptr && !isKeyedKind(Site)))
    return nullptr;
  endDeadSpans(T, Site, Of);
  Found For = findOrMakeChild(T, Site, K);
  if (For.Child != nullptr)
    beginSpan(T, For.Child, Adjacent && !For.TookTime ? Last : now(), Of, true);
  return For.Child == nullptr ? nullptr : tokenOf(For.Child);
}

void loopscope::runtime::strayEnd(Node *N) {
  // A forked child ends spans that its parent began.
  if (Header == nullptr || (Header->flags & LOOPSCOPE_FLAG_FORKED) != 0)
    return;
  Thread *T = ownTree();
  bool IsOwn = T != nullptr && isNode(N) && N->thread == T->index;
  uint16_t Cause = 0;
  if (IsOwn && N->popped != 0)
    Cause = LOOPSCOPE_NODE_LATE_END;
  else if (!IsOwn && isNode(N) && N->kind != LOOPSCOPE_KIND_STEP &&
           __atomic_load_n(&N->open, __ATOMIC_RELAXED) != 0)
    Cause = isOfFibre(N) || (T != nullptr && isOfFibre(links(T).Current))
                ? LOOPSCOPE_NODE_OTHER_FIBRE
                : LOOPSCOPE_NODE_OTHER_THREAD;
  if (Cause != 0)
    __atomic_fetch_or(&N->flags, Cause, __ATOMIC_RELAXED);
  if (Cause == LOOPSCOPE_NODE_OTHER_FIBRE) {
    addToCounter(LOOPSCOPE_COUNT_FIBRE_ENDS, 1);
    return;
  }
  count(Cause == 0                         ? LOOPSCOPE_COUNT_STRAY_END
        : Cause == LOOPSCOPE_NODE_LATE_END ? LOOPSCOPE_COUNT_LATE_END
                                           : LOOPSCOPE_COUNT_OTHER_THREAD);
}

void loopscope::runtime::leaveOuter(loopscope_token Token) {
  if (Token == nullptr)
    return;
  if (const Entries *Other = otherRuntime()) {
    Other->Leave(Token);
    return;
  }
  Thread *T = ownTree();
  auto Address = reinterpret_cast<uintptr_t>(Token);
  auto *N =
      reinterpret_cast<Node *>(Address & ~(ExplicitDrawBit | MeasuredTokenBit));
  if (T == nullptr || !isOpen(T, N)) {
    strayEnd(N);
    return;
  }
  PauseLifted Lifted(T);
  uint64_t Now = now();
  popTo(T, N, Now);
  if (!isStepDraw(N))
    endSpan(T, N, Now);
  else if (isExplicitDraw(N))
    endExplicitDraw(T, N, Now);
}

loopscope_token loopscope::runtime::enterLoop(const loopscope_site *Site,
                                              KnownMark Of) {
  if (__loopscope_active == 0 || !isLoopKind(Site))
    return nullptr;
  if (const Entries *Other = otherRuntime())
    return Other->LoopEnter(Site);
  if (Thread *T = ownTree())
    makeRoom(T, false);
  SlowPath Path;
  Thread *T = Path ? attachThread() : nullptr;
  if (T == nullptr)
    return nullptr;
  endDeadSpans(T, Site, Of);
  PauseLifted Lifted(T);
  if (isMuted(T))
    return nullptr;
  Node *N = expectedChild(T);
  if (siteOf(N) != Site)
    N = findOrMakeChild(T, Site).Child;
  if (N == nullptr || !openLoop(T, N, now(), Of))
    return nullptr;
  if (N->kind == LOOPSCOPE_KIND_TRAIN)
    noteTrainer(T);
  return N;
}

void loopscope::runtime::noteMissingFile(const char *FileName) {
  if (__loopscope_active == 0 || FileName == nullptr)
    return;
  if (const Entries *Other = otherRuntime()) {
    Other->MissingFile(FileName);
    return;
  }
  SlowPath Path;
  if (Path && ensureProfile())
    addMissingFile(FileName);
}
