// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can't be true of a trace's events: profilers write wrong times, and lose
// records. Applied once, before anything is computed from them.

#ifndef LOOPSCOPE_RUN_KINETO_PLAUSIBLE_H
#define LOOPSCOPE_RUN_KINETO_PLAUSIBLE_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Whether a verdict may rest on the event's time: not on Python's functions.
constexpr bool mayRestOn(const TraceEvent &Event) {
  return Event.Kind != TraceKind::Function && Event.Kind != TraceKind::Other;
}

/// Cuts events or leaves them out where they contradict each other, and counts
/// them in Run::Lost. The laws:
///
///   an event has a time (a start of 0 with a duration of 0 is none)
///   no work is longer than everything that the host did
///   work begins after the call that launched it, up to the error of the clocks
///   a stream runs one kernel at a time: one that covers a whole later one, of
///     another launch, ends where that begins
///   a launch has its kernel, if the trace has any
void applyLaws(Run &Trace);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_PLAUSIBLE_H
