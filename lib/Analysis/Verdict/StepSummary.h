// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's steps in a few figures: how fast its loops go, and where the time of
// a step goes. Training and validation are never summed together.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H
#define LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H

#include "Analysis/Tree/PathTree.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The steps of all training loops of a run, or of all validation loops.
/// Warm-up steps are left out if there are others.
struct LoopSummary {
  bool IsTraining = true;
  uint64_t Steps = 0;       ///< finished, summed up here
  uint64_t WarmupSteps = 0; ///< left out
  uint64_t Samples = 0;
  int64_t Ns = 0;
  Moments Spans;
  CpuSums Cpu;

  /// 0 if it isn't known.
  double samplesPerSecond() const;
};

/// Training first. Loops without a finished step are left out.
std::vector<LoopSummary> summarizeLoops(const Run &P);

/// A part of a step: its draw, or what its batch calls.
struct StepPart {
  uint32_t Path = None; ///< None: the time in no part
  std::string Name;
  int64_t Ns = 0;
};

/// Where the time of steps went or, in a run without steps, the time of the
/// run.
struct StepSplit {
  uint32_t Path = None; ///< of the steps; None: there is nothing to split
  bool IsStep = false;
  int64_t Ns = 0;              ///< what the parts add up to
  std::vector<StepPart> Parts; ///< longest first; the time in no part last
};

/// Splits the training steps of \p Tree; if several call paths have some, those
/// that take longest. Without training, splits other steps; without steps, the
/// run.
StepSplit splitSteps(const PathTree &Tree);

/// The call path for a place in the source, given by name, file and line. If
/// there are several, one in training steps, and of these the longest. None if
/// no path is at that place.
uint32_t pathOfPlace(const Run &P, const PathTree &Tree, const PhasePlace &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H
