// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which steps of a loop are warm-up, and which are excluded.

#ifndef LOOPSCOPE_TREE_SCHEDULE_H
#define LOOPSCOPE_TREE_SCHEDULE_H

#include <stdint.h>

namespace loopscope::runtime {

/// What becomes of a step.
enum class StepFate { Counted, Warmup, Excluded };

/// Options that select steps by number.
struct Schedule {
  uint32_t WarmupSteps = 1; ///< first steps of the run, or of each execution
  bool WarmupPerEpoch = false;
  /// The window: WAIT steps excluded, WARMUP as warm-up, ACTIVE counted,
  /// repeated REPEAT times (0: forever); the rest is excluded. ACTIVE 0: no
  /// window.
  uint32_t WindowWait = 0;
  uint32_t WindowWarmup = 0;
  uint32_t WindowActive = 0;
  uint32_t WindowRepeat = 0;

  /// The fate of step NUMBER of all steps of a loop in this run, the INDEXth of
  /// this execution; both count from 0. CHANGE becomes the next number whose
  /// fate may differ.
  StepFate fateOf(uint64_t Number, uint64_t Index, uint64_t &Change) const;
};

/// That of this process, constant once it has started.
extern Schedule StepSchedule;

/// A gate for steps, which other than the schedule moves while the program
/// runs: those that begin while it is closed are excluded.
enum class StepGate : uint32_t { None, Closed, Open };

/// Any thread. Loops that are running notice a first gate only if they began
/// after it.
void setStepGate(StepGate To);
StepGate stepGate();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_SCHEDULE_H
