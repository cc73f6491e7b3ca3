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

#ifndef LOOPSCOPE_HOOKS_HOOK_TIERS_H
#define LOOPSCOPE_HOOKS_HOOK_TIERS_H

#include "base/clock.h"
#include "tree/events.h"
#include "tree/threads.h"
#include "tree/tree.h"

namespace loopscope::runtime {

/// Calibrates the clock if it is due; called at every reading at an end.
inline void calibrateIfDue(ThreadLinks &L, uint64_t Now) {
  if (__builtin_expect(Now >= L.CalibrateAt, false))
    calibrateFrom(L.Owner, Now);
}

/// The leave of a span that is its node's longest so far (as the first one is),
/// whose clock readings are wrong, or at which the clock is due for
/// calibration.
__attribute__((noinline, visibility("hidden"))) void
leaveLongest(Thread *T, Node *N, uint64_t Now);

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

#endif // LOOPSCOPE_HOOKS_HOOK_TIERS_H
