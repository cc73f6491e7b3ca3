// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks and their fast tier, inline from tree.h; see hook_tiers.h.

#pragma GCC visibility push(default)
#include "aliases.h"
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "hook_tiers.h"
#include "objects.h"
#include "profile_file.h"

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

void loopscope::runtime::count(loopscope_counter Counter) {
  if (auto *H = __atomic_load_n(&Header, __ATOMIC_ACQUIRE); H != nullptr)
    __atomic_fetch_add(&H->counters[Counter], 1, __ATOMIC_RELAXED);
}

loopscope_token __loopscope_enter(const loopscope_site *Site) noexcept {
  Thread *T = ThisThread.Fast;
  if (__builtin_expect(T == nullptr, false))
    return enterElse(Site, false);
  Node *N = expectedChild(T);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, false);
  openNode(T, N, readCounter());
  return N;
}

loopscope_token
__loopscope_enter_adjacent(const loopscope_site *Site) noexcept {
  Thread *T = ThisThread.Fast;
  if (__builtin_expect(T == nullptr, false))
    return enterElse(Site, true);
  Node *N = expectedChild(T);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, true);
  openNodeFrom(T, N, T->last_ticks);
  return N;
}

void __loopscope_leave(loopscope_token Token) noexcept {
  Thread *T = ThisThread.Fast;
  auto *N = static_cast<Node *>(Token);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != N, false)) {
    leaveElse(Token);
    return;
  }
  leaveQuickly<false>(T, N);
}

loopscope_token __loopscope_loop_enter(const loopscope_site *Site) noexcept {
  return enterLoop(Site);
}

loopscope_token __loopscope_step_begin(loopscope_token Loop) noexcept {
  Thread *T = ThisThread.Fast;
  if (__builtin_expect(T == nullptr, false))
    return stepBeginElse(Loop);
  Node *Draw = links(T).Current;
  if (__builtin_expect(!isPlainDrawOf(Draw, Loop), false))
    return stepBeginElse(Loop);
  return openBatch(T, Draw, readCounter());
}

void __loopscope_step_end(loopscope_token Token) noexcept {
  Thread *T = ThisThread.Fast;
  auto *Batch = static_cast<Node *>(Token);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != Batch, false)) {
    stepEndElse(Token);
    return;
  }
  endBatch(Batch);
  endStep(T, Batch, readCounter());
  calibrateIfDue(T, T->last_ticks);
}

void __loopscope_samples(loopscope_token Step, int64_t Samples) noexcept {
  Thread *T = ThisThread.Fast;
  auto *Batch = static_cast<Node *>(Step);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != Batch, false) ||
      __builtin_expect(!keepSamples(Batch, Samples), false))
    samplesElse(Step, Samples);
}

void __loopscope_iterations(loopscope_token Loop, int64_t Count) noexcept {
  iterationsElse(Loop, Count);
}

void __loopscope_flops(loopscope_token Span, double Flops) noexcept {
  flopsElse(Span, Flops);
}

loopscope_token __loopscope_draw_enter(const loopscope_site *Site) noexcept {
  Thread *T = ThisThread.Tree;
  if (T == nullptr)
    if (const Entries *Other = otherRuntime())
      return Other->DrawEnter(Site);
  if (T != nullptr && isMuted(T))
    return nullptr;
  Node *Batch = T == nullptr ? nullptr : batchToDrawFrom(T);
  if (Batch == nullptr)
    return __loopscope_enter(Site);
  Node *Draw = beginExplicitDraw(T, Batch, now());
  return reinterpret_cast<loopscope_token>(reinterpret_cast<uintptr_t>(Draw) |
                                           ExplicitDrawBit);
}

void __loopscope_missing_file(const char *FileName) noexcept {
  noteMissingFile(FileName);
}
