// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile's timeline as events: what PyTorch's own trace would say of the
// same run. The overview computes on them and `export --to chrome` writes them,
// so steps, launches and roles are told apart in one place.
//
//   steps of training loops        -> steps
//   phases and functions           -> operators
//   all else on threads            -> annotations
//   CUDA calls, kernels, copies    -> runtime calls and device work, linked

#ifndef LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H
#define LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Which steps are steps among the events; others are annotations.
enum class StepsAsEvents {
  All,
  /// Finished ones that aren't left out as a warm-up (NestedLoops.h).
  Counted
};

/// The events of R's timeline and of its device work. Host threads first, each
/// track's events together. Empty unless R was read with its timeline.
EventStream eventsOf(const Run &R, StepsAsEvents Which = StepsAsEvents::All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_TIMELINEEVENTS_H
