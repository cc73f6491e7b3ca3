// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow tier of the hooks; see hook_tiers.h.

#include "hooks_slow.h"

#include "base/clock.h"
#include "base/objects.h"
#include "base/own_floats.h"
#include "base/thread_memory.h"
#include "hook_tiers.h"
#include "hooks_cold.h"
#include "profile/counts.h"
#include "profile/node_links.h"
#include "tree/events.h"
#include "tree/extension.h"
#include "tree/hook_tokens.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/pause.h"
#include "tree/slow_path.h"
#include "tree/spans.h"
#include "tree/steps.h"
#include "tree/subscriptions.h"
#include "tree/tree.h"
#include "tree/unwind.h"

#include <loopscope/profile_counters.h>

using namespace loopscope;
using namespace loopscope::runtime;

namespace {
// A span of SITE isn't opened in a pause or an excluded step.
void leaveOut(const loopscope_site *Site) {
  if (Site->__kind != LOOPSCOPE_KIND_COLLECTIVE)
    return;
  if (SlowPath Path(false); Path)
    callExtensions(&Extension::CollectiveLeftOut, Site);
}

// Enters a measured child, expected or not, or a child that wasn't visited
// recently.
__attribute__((noinline)) loopscope_token enterMeasured(
    Thread *T, const loopscope_site *Site, bool Adjacent, KnownMark Of) {
  if (isMuted(T)) {
    leaveOut(Site);
    return nullptr;
  }
  Node *N = expectedChild(T);
  if (siteOf(N) != Site)
    N = recallMeasured(T, Site);
  if (N == nullptr)
    return enterFirst(Site, Adjacent, Of);
  beginSpan(T, N, Adjacent ? T->last_ticks : now(), Of);
  return tokenOf(N);
}

// Every other enter: another child than expected, another clock than the
// counter, a step outside the window.
__attribute__((noinline)) loopscope_token
enterSlowly(const loopscope_site *Site, bool Adjacent, KnownMark Of) {
  Thread *T = ownTree();
  if (T == nullptr)
    return enterFirst(Site, Adjacent, Of);
  Node *N = expectedChild(T);
  if (links(N).Site != Site) {
    N = recallChild(links(T), Site);
    if (N == nullptr)
      return enterMeasured(T, Site, Adjacent, Of);
  }
  if (ThisThread.Fast == &NoLinks && &notingLinks() == &NoLinks && isMuted(T))
    return nullptr;
  openSpan(T, N, Adjacent ? T->last_ticks : now(), Of);
  return N;
}

// Another child than the expected one costs little more than looking for it.
__attribute__((noinline)) loopscope_token enterOther(const loopscope_site *Site,
                                                     bool Adjacent,
                                                     KnownMark Of) {
  ThreadLinks &L = *ThisThread.Fast;
  Node *N = L.Current == nullptr ? nullptr : recallChild(L, Site);
  if (N == nullptr)
    return enterSlowly(Site, Adjacent, Of);
  N->writer_place = Of.Place;
  openNode(L, N, Adjacent ? L.Owner->last_ticks : readCounter(), Of);
  return N;
}

// Every other leave.
__attribute__((noinline)) void leaveSlowly(loopscope_token Token) {
  Thread *T = ownTree();
  Node *N = nodeOf(Token);
  if (T == nullptr || links(T).Current != N) {
    leaveOuter(Token);
    return;
  }
  leaveLongest(T, N, now());
  if (isMarked(N))
    tellMarkedLeft(T, N);
}
} // namespace

loopscope_token loopscope::runtime::enterElse(const loopscope_site *Site,
                                              bool Adjacent, KnownMark Of) {
  ThreadLinks &L = notingLinks();
  if (L.Current == nullptr)
    return enterOther(Site, Adjacent, Of);
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterSlowly(Site, Adjacent, Of);
  uint64_t Start = Adjacent ? L.Owner->last_ticks : readCounter();
  openNode(L, N, Start, Of);
  noteEvent(L, LOOPSCOPE_EVENT_BEGIN, N, Start);
  return N;
}

void loopscope::runtime::leaveElse(loopscope_token Token) {
  ThreadLinks &L = notingLinks();
  auto *N = static_cast<Node *>(Token);
  if (__builtin_expect(L.Current != N, false)) {
    leaveSlowly(Token);
    return;
  }
  leaveQuickly<true>(L, N);
}

loopscope_token loopscope::runtime::stepBeginElse(loopscope_token Loop,
                                                  KnownMark Of) {
  Thread *T = ownTree();
  if (T == nullptr || Loop == nullptr) {
    const Entries *Other = otherRuntime();
    return Other == nullptr ? nullptr : Other->StepBegin(Loop);
  }
  PauseLifted Lifted(T);
  Node *Draw = links(T).Current;
  forgetLeftDraw(Draw);
  if (!isDrawOf(Draw, Loop)) {
    // A jump left something inside: end it, and draw again.
    auto *N = static_cast<Node *>(Loop);
    if (!isOpen(T, N)) {
      strayEnd(N);
      return nullptr;
    }
    Draw = popToDraw(T, N, now());
    if (Draw == nullptr)
      return nullptr;
  }
  return beginBatch(T, Draw, now(), Of);
}

void loopscope::runtime::stepEndElse(loopscope_token Token) {
  Thread *T = ownTree();
  auto *Batch = static_cast<Node *>(Token);
  if (T == nullptr || Batch == nullptr) {
    if (const Entries *Other = otherRuntime())
      Other->StepEnd(Token);
    return;
  }
  PauseLifted Lifted(T);
  if (links(T).Current != Batch) {
    if (!isOpen(T, Batch)) {
      strayEnd(Batch);
      return;
    }
    popTo(T, Batch, now());
  }
  endStep(T, Batch);
  calibrateIfDue(links(T), T->last_ticks);
}

void loopscope::runtime::samplesElse(loopscope_token Token, int64_t Amount) {
  Thread *T = ownTree();
  Node *N = nodeOf(Token);
  if (T != nullptr && N != nullptr && isOpen(T, N)) {
    if (isBatch(N))
      setSamples(N, Amount);
    else
      callExtensions(&Extension::AmountSaid, N, Amount);
  } else if (const Entries *Other = otherRuntime())
    Other->Samples(Token, Amount);
}

void loopscope::runtime::iterationsElse(loopscope_token Token, int64_t Count) {
  Thread *T = ownTree();
  Node *N = nodeOf(Token);
  if (T == nullptr || N == nullptr || !isOpen(T, N)) {
    if (const Entries *Other = otherRuntime())
      Other->Iterations(Token, Count);
    return;
  }
  uint64_t Sum = 0;
  if (N->kind != LOOPSCOPE_KIND_EPOCH && N->kind != LOOPSCOPE_KIND_TRAIN &&
      N->kind != LOOPSCOPE_KIND_VALID)
    return;
  if (Count < 0)
    count(LOOPSCOPE_COUNT_BAD_SAMPLES);
  else if (!__builtin_add_overflow(N->samples, static_cast<uint64_t>(Count),
                                   &Sum))
    __atomic_store_n(&N->samples, Sum, __ATOMIC_RELAXED);
}

// Without a number to pass: a function for each costs what one alone would.
template <SpanAmount Which>
void loopscope::runtime::spanAmountElse(loopscope_token Token, double Amount) {
  constexpr auto Row = static_cast<uint32_t>(Which);
  Thread *T = ownTree();
  Node *N = nodeOf(Token);
  if (T != nullptr && N != nullptr && isOpen(T, N)) {
    if (isMuted(T))
      return;
    if (isBatch(N))
      N = links(N).Parent;
    if (N->kind == LOOPSCOPE_KIND_PHASE || N->kind == LOOPSCOPE_KIND_STEP)
      withOwnFloats([=] {
        for (const Extension *Each : Extensions)
          if (Each->SpanAmountSaid[Row] != nullptr)
            Each->SpanAmountSaid[Row](N, Amount);
      });
  } else if (const Entries *Other = otherRuntime();
             Other != nullptr && Row < Other->SpanAmountCount) {
    Other->SpanAmounts[Row](Token, Amount);
  }
}

#define AMOUNT(NAME, IDENTIFIER, NOUN)                                         \
  template void loopscope::runtime::spanAmountElse<SpanAmount::IDENTIFIER>(    \
      loopscope_token Token, double Amount);
__LOOPSCOPE_AMOUNTS(AMOUNT)
