// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks and their fast tier, inline from tree.h; see hook_tiers.h.

#pragma GCC visibility push(default)
#define LOOPSCOPE_FEW_ALIASES_
#include "aliases.h"
#include "base/clock.h"
#include "base/stack_mark.h"
#include "base/thread_memory.h"
#include "hooks_cold.h"
#include "hooks_slow.h"
#include "profile/node_links.h"
#include "tree/hook_tokens.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/steps.h"
#include "tree/tree.h"
#include <loopscope/loopscope.h>
#include <loopscope/profile_counters.h>
#pragma GCC visibility pop

#include "base/fork_notice.h"
#include "base/objects.h"
#include "hook_tiers.h"

using namespace loopscope::runtime;

// hooks.h can't include the profile format.
#define SAME_KIND(NAME)                                                        \
  static_assert(+LOOPSCOPE_KIND_##NAME == __LOOPSCOPE_KIND_##NAME)
SAME_KIND(PHASE);
SAME_KIND(FIT);
SAME_KIND(VALIDATE);
SAME_KIND(TEST);
SAME_KIND(PREDICT);
SAME_KIND(EPOCH);
SAME_KIND(TRAIN);
SAME_KIND(VALID);
SAME_KIND(DRAW);
SAME_KIND(FUNCTION);
SAME_KIND(WAIT);
SAME_KIND(COLLECTIVE);

// 1 until the options are known: a hook that comes first reads them.
unsigned char __loopscope_active = 1;
unsigned char __loopscope_functions_active = 1;

namespace {
// Each opening hook exists twice: as the rewriter inserts it, and under its
// public name for calls by hand. BY says which one this is part of.

template <typename By>
inline __attribute__((always_inline)) loopscope_token
enter(const loopscope_site *Site) {
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterElse(Site, false, By::known());
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, false, By::known());
  openNode(L, N, readCounter(), By::Quick);
  return N;
}

template <typename By>
inline __attribute__((always_inline)) loopscope_token
enterAdjacent(const loopscope_site *Site) {
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterElse(Site, true, By::known());
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, true, By::known());
  openNodeFrom(L, N, L.Owner->last_ticks, By::Quick);
  return N;
}

template <typename By>
inline __attribute__((always_inline)) loopscope_token
stepBegin(loopscope_token Loop) {
  ThreadLinks &L = *ThisThread.Fast;
  Node *Draw = L.Current;
  if (__builtin_expect(Draw == nullptr, false))
    return stepBeginElse(Loop, By::known());
  if (__builtin_expect(!isPlainDrawOf(Draw, Loop), false))
    return stepBeginElse(Loop, By::known());
  return openBatch(L, Draw, readCounter(), By::Quick);
}

template <typename By>
inline __attribute__((always_inline)) loopscope_token
drawEnter(const loopscope_site *Site) {
  Thread *T = ownTree();
  if (T == nullptr)
    if (const Entries *Other = otherRuntime())
      return Other->DrawEnter(Site);
  if (T != nullptr && isMuted(T))
    return nullptr;
  Node *Batch = T == nullptr ? nullptr : batchToDrawFrom(T);
  if (Batch == nullptr)
    return enter<By>(Site);
  Node *Draw = beginExplicitDraw(T, Batch, now(), By::known());
  return reinterpret_cast<loopscope_token>(reinterpret_cast<uintptr_t>(Draw) |
                                           ExplicitDrawBit);
}
} // namespace

// Defines hook NAME, and loopscope_NAME, which a program may define itself.
// Guards have tokens that aren't null; ends by hand may have such.
// NOLINTBEGIN(bugprone-macro-parentheses): types, parameters, functions.
#define HOOK(NAME, PARAMETER, ARGUMENT, FUNCTION)                              \
  loopscope_token __loopscope_##NAME(PARAMETER ARGUMENT) noexcept {            \
    return FUNCTION<ByGuard>(ARGUMENT);                                        \
  }                                                                            \
  __attribute__((weak)) loopscope_token loopscope_##NAME(                      \
      PARAMETER ARGUMENT) noexcept {                                           \
    return FUNCTION<ByHand>(ARGUMENT);                                         \
  }
HOOK(enter, const loopscope_site *, Site, enter)
HOOK(enter_adjacent, const loopscope_site *, Site, enterAdjacent)
HOOK(loop_enter, const loopscope_site *, Site, enterLoop)
HOOK(step_begin, loopscope_token, Loop, stepBegin)
HOOK(draw_enter, const loopscope_site *, Site, drawEnter)
#undef HOOK
// NOLINTEND(bugprone-macro-parentheses)

void __loopscope_leave(loopscope_token Token) noexcept {
  ThreadLinks &L = *ThisThread.Fast;
  auto *N = static_cast<Node *>(Token);
  if (__builtin_expect(L.Current != N, false)) {
    leaveElse(Token);
    return;
  }
  leaveQuickly<false>(L, N);
}

void __loopscope_step_end(loopscope_token Token) noexcept {
  ThreadLinks &L = *ThisThread.Fast;
  auto *Batch = static_cast<Node *>(Token);
  if (__builtin_expect(L.Current != Batch, false)) {
    stepEndElse(Token);
    return;
  }
  Thread *T = L.Owner;
  endStepQuickly(T, Batch);
  calibrateIfDue(L, T->last_ticks);
}

void __loopscope_samples(loopscope_token Step, int64_t Samples) noexcept {
  auto *Batch = static_cast<Node *>(Step);
  if (__builtin_expect(ThisThread.Fast->Current != Batch, false) ||
      __builtin_expect(!keepSamples(Batch, Samples), false))
    samplesElse(Step, Samples);
}

__attribute__((weak)) void loopscope_leave(loopscope_token Token) noexcept {
  if (Token != nullptr)
    __loopscope_leave(Token);
}

__attribute__((weak)) void loopscope_step_end(loopscope_token Token) noexcept {
  if (Token != nullptr)
    __loopscope_step_end(Token);
}

__attribute__((weak)) void loopscope_samples(loopscope_token Step,
                                             int64_t Samples) noexcept {
  if (Step != nullptr)
    __loopscope_samples(Step, Samples);
}

void __loopscope_iterations(loopscope_token Loop, int64_t Count) noexcept {
  iterationsElse(Loop, Count);
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define AMOUNT(NAME, IDENTIFIER, NOUN)                                         \
  void __loopscope_##NAME(loopscope_token Span, double Amount) noexcept {      \
    spanAmountElse<loopscope::SpanAmount::IDENTIFIER>(Span, Amount);           \
  }
__LOOPSCOPE_AMOUNTS(AMOUNT)
#undef AMOUNT
// NOLINTEND(bugprone-macro-parentheses)

void __loopscope_missing_file(const char *FileName) noexcept {
  noteMissingFile(FileName);
}
