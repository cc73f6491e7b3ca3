// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the time of a step goes, in a few parts.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H
#define LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H

#include "Analysis/Account/Account.h"
#include "Analysis/Tree/PathTree.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

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

/// Splits the steps of the first of \p Of's loops, as it accounts for them;
/// without loops, the run. \p PathOf has the paths in \p Tree by node.
StepSplit splitSteps(const Account &Of, const PathTree &Tree,
                     const std::vector<uint32_t> &PathOf);

/// The call path for a place in the source, given by name, file and line. If
/// there are several, one in training steps, and of these the longest. None if
/// no path is at that place.
uint32_t pathOfPlace(const Run &R, const PathTree &Tree, const PhasePlace &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_STEPSUMMARY_H
