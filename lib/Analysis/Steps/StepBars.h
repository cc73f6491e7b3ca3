// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single steps by part: what the page draws as bars, and which steps were slow
// and why.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_STEPBARS_H
#define LOOPSCOPE_ANALYSIS_STEPS_STEPBARS_H

#include "Analysis/Steps/TraceSteps.h"
#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A step.
struct StepBar {
  std::string Name; ///< its number
  int64_t StartNs = 0;
  int64_t EndNs = 0;
  int64_t CutNs = 0; ///< that experiments injected: no time of the step

  int64_t ns() const { return EndNs - StartNs - CutNs; }
};

/// A part of all steps: a phase of the batch, the draw, a role, or the rest.
struct StepBarPart {
  std::string Name;
  uint32_t Path = None;    ///< in the tree; None: no call path
  std::vector<int64_t> Ns; ///< by step
  double MeanNs = 0;       ///< over all steps
};

/// A step that took longer than most.
struct SlowStep {
  size_t Step = 0; ///< index
  size_t Part = 0; ///< that took most above its own mean
  int64_t AboveNs = 0;
};

/// The steps of one loop on one thread, by start.
struct StepBars {
  uint32_t Path = None; ///< of the steps
  std::vector<StepBar> Steps;
  /// Finished steps of the run, at least those in Steps: a timeline may hold
  /// the newest only.
  uint64_t Recorded = 0;
  std::vector<StepBarPart> Parts;
  double MeanNs = 0;
  std::vector<SlowStep> Slowest; ///< the slowest first
};

/// The maximum number of steps in Slowest.
inline constexpr size_t SlowestSteps = 6;

/// The training steps in \p R's timeline, on the thread that has most; without
/// training, other steps. \p PathOf has the path of each node.
StepBars stepBars(const Run &R, const std::vector<uint32_t> &PathOf);

/// The steps of a trace by role.
StepBars stepBars(const StepAnalysis &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_STEPBARS_H
