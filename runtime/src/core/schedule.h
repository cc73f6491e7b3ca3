// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which steps of a loop are warm-up, and which are left out.

#ifndef LOOPSCOPE_CORE_SCHEDULE_H
#define LOOPSCOPE_CORE_SCHEDULE_H

#include <stdint.h>

namespace loopscope::runtime {

/// What becomes of a step.
enum class StepFate { Counted, Warmup, Excluded };

/// The options that name steps by their number.
struct Schedule {
  uint32_t WarmupSteps = 1; ///< first steps of the run or of each execution
  bool WarmupPerEpoch = false;
  /// The window: WAIT steps excluded, WARMUP as warm-up, ACTIVE counted, all
  /// that REPEAT times (0: for ever), the rest excluded. ACTIVE 0: no window.
  uint32_t WindowWait = 0;
  uint32_t WindowWarmup = 0;
  uint32_t WindowActive = 0;
  uint32_t WindowRepeat = 0;

  /// The fate of step NUMBER of the run's steps of a loop, the INDEXth of this
  /// execution; both count from 0.
  /// CHANGE is the next number that can have another fate.
  StepFate fateOf(uint64_t Number, uint64_t Index, uint64_t &Change) const;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SCHEDULE_H
