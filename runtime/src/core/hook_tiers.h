// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three tiers of a hook. Each passes on what it can't handle.
//
//   fast  hooks.cpp       the expected child, by the counter, no events: about
//                         ten loads and stores, no call
//   slow  hooks_slow.cpp  an unexpected child, another clock, a thread that
//                         records events, a step outside the window: no locks
//                         or memory, except for a full event block
//   cold  hooks_cold.cpp  first visits, loops, ends out of order, hooks of
//                         another copy of the runtime: locks, memory, system
//                         calls

#ifndef LOOPSCOPE_CORE_HOOK_TIERS_H
#define LOOPSCOPE_CORE_HOOK_TIERS_H

#include "events.h"
#include "steps.h"
#include "threads.h"

namespace loopscope::runtime {

#pragma GCC visibility push(hidden)

// Slow.

/// Every enter, leave, step and number of samples that can't take the fast
/// path. Threads that record their spans take a short way here, too.
loopscope_token enterElse(const loopscope_site *Site, bool Adjacent,
                          KnownMark Of);
void leaveElse(loopscope_token Token);
loopscope_token stepBeginElse(loopscope_token Loop, KnownMark Of);
void stepEndElse(loopscope_token Token);
/// Also the bytes of a COLLECTIVE.
void samplesElse(loopscope_token Token, int64_t Amount);
/// Every number of iterations.
void iterationsElse(loopscope_token Token, int64_t Count);
/// Every number of floating-point operations.
void flopsElse(loopscope_token Token, double Flops);

/// The leave of a span that is its node's longest so far (as the first one is),
/// whose clock readings are wrong, or at which the clock is due for
/// calibration.
__attribute__((noinline)) void leaveLongest(Thread *T, Node *N, uint64_t Now);

// Cold.

/// The first visit of a call path, and a thread's first hook.
__attribute__((cold)) loopscope_token enterFirst(const loopscope_site *Site,
                                                 bool Adjacent, KnownMark Of);
/// Ends a span that isn't the innermost: a loop, an explicit draw, or one that
/// was left by a jump.
void leaveOuter(loopscope_token Token);
/// The end of a span of N, of which none is open. N may be anything.
__attribute__((cold)) void strayEnd(Node *N);
/// The hook of a loop's beginning.
loopscope_token enterLoop(const loopscope_site *Site, KnownMark Of);
template <typename By>
inline __attribute__((always_inline)) loopscope_token
enterLoop(const loopscope_site *Site) {
  return enterLoop(Site, By::known());
}
/// The hook of a file that was built without hooks.
void noteMissingFile(const char *FileName);

#pragma GCC visibility pop

// Shared by several tiers.

/// Set in the token of an explicit draw, which is the address of its DRAW.
constexpr uintptr_t ExplicitDrawBit = 1;
/// Set in the token of a measured, lengthened or recorded span, which is its
/// node's address, so that the fast hooks don't take its end for the innermost
/// node's.
constexpr uintptr_t MeasuredTokenBit = 2;

/// The token of a span of N.
inline loopscope_token tokenOf(Node *N) {
  auto Address = reinterpret_cast<uintptr_t>(N);
  return reinterpret_cast<loopscope_token>(
      slowBitsOf(N) != 0 ? Address | MeasuredTokenBit : Address);
}

/// The node of a token that tokenOf() gave; null of null.
inline Node *nodeOf(loopscope_token Token) {
  return reinterpret_cast<Node *>(reinterpret_cast<uintptr_t>(Token) &
                                  ~MeasuredTokenBit);
}

/// Calibrates the clock if it is due; called at every reading at an end.
inline void calibrateIfDue(ThreadLinks &L, uint64_t Now) {
  if (__builtin_expect(Now >= L.CalibrateAt, false))
    calibrateFrom(L.Owner, Now);
}

/// The leave of the innermost open span, with the counter as clock. NOTES: also
/// for the timeline.
template <bool Notes>
inline __attribute__((always_inline)) void leaveQuickly(ThreadLinks &L,
                                                        Node *N) {
  uint64_t *Bucket = lastBucket(N);
  uint64_t Start = N->enter_ticks;
  // Load these before the reading: the compiler would load them after it, and
  // some processors overlap a reading only with what precedes it.
  asm volatile("" : "+r"(Bucket), "+r"(Start));
  uint64_t Now = readCounter();
  uint64_t Duration = Now - Start;
  // The second comparison is here and not at the end, where it would need a
  // register more.
  if (__builtin_expect(Duration > N->max_ticks, false) ||
      __builtin_expect(Now >= L.CalibrateAt, false)) {
    leaveLongest(L.Owner, N, Now);
    return;
  }
  closeNode<Longest::No>(L, N, Duration, Now, Bucket);
  if constexpr (Notes)
    noteEvent(L, LOOPSCOPE_EVENT_END, N, Now);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_HOOK_TIERS_H
