// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's steps in a few figures: how fast its loops go, and where one of their
// steps goes. Training and validation are never summed up together.

#ifndef LOOPSCOPE_ANALYSIS_STEPSUMMARY_H
#define LOOPSCOPE_ANALYSIS_STEPSUMMARY_H

#include "Analysis/PathTree.h"
#include "Analysis/Verdict.h"
#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The steps of all training loops of a run, or of all validation loops.
/// Warm-up steps are left out where there are others.
struct LoopSummary {
  bool IsTraining = true;
  uint64_t Steps = 0;       ///< finished, summed up here
  uint64_t WarmupSteps = 0; ///< left out
  uint64_t Samples = 0;
  int64_t Ns = 0;
  Moments Spans;
  CpuSums Cpu;

  /// 0 where it isn't known.
  double samplesPerSecond() const;
};

/// Training first. Loops without a finished step aren't there.
std::vector<LoopSummary> summarizeLoops(const Run &P);

/// A part of a step: its draw, or what its batch calls.
struct StepPart {
  uint32_t Path = None; ///< None: what is in no part
  std::string Name;
  int64_t Ns = 0;
};

/// Where the time of steps went; of a run without steps, the time of the run.
struct StepSplit {
  uint32_t Path = None; ///< of the steps; None: there is nothing to split
  bool IsStep = false;
  int64_t Ns = 0;              ///< what the parts add up to
  std::vector<StepPart> Parts; ///< the longest first, what is in none last
};

/// Splits the training steps of \p Tree, of several call paths those that take
/// longest; without training, other steps; without steps, the run.
StepSplit splitSteps(const PathTree &Tree);

/// The call path that a place of the source stands for, by name, file and line:
/// of several one in training steps, and of these the one that took longest.
/// None where no path is of that place.
uint32_t pathOfPlace(const Run &P, const PathTree &Tree, const PhasePlace &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPSUMMARY_H
