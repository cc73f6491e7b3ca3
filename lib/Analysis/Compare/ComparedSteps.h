// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a comparison is per: the steps of one loop that both sides have or,
// without loops, the runs. A side's runs are taken together.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_COMPAREDSTEPS_H
#define LOOPSCOPE_ANALYSIS_COMPARE_COMPAREDSTEPS_H

#include "Analysis/Account/Account.h"
#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The units of one run: the finished steps of its loop, without the warm-up
/// and without loops inside them, or the run.
struct RunUnits {
  const Run *Of = nullptr;
  uint64_t Count = 0; ///< steps; of a run 1
  int64_t Ns = 0;     ///< of all of them: the sum of Parts
  /// The draw, the phases, what is in no phase, the profiler's cost.
  std::vector<AccountPart> Parts;
  std::vector<uint32_t> Roots; ///< nodes of the steps, or of threads
  Moments Spans;               ///< of the steps; none if loops run inside them
};

/// One side. At least one run has units.
struct SideUnits {
  bool AreSteps = false;   ///< else runs
  bool IsTraining = false; ///< steps of a training loop
  std::string Place;       ///< the loop's: "train.c:12"; may be empty
  std::vector<RunUnits> Runs;

  uint64_t count() const;
  double meanNs() const; ///< of a unit
};

struct ComparedSteps {
  SideUnits Before, After;

  /// Whether both sides have so many steps that what is a whole number per step
  /// is the same in each of them.
  bool hasManySteps() const;
};

/// Each side's longest training loop or, if a side has none, the longest other
/// loop of each; loops at one place are one. If no run has steps, the runs. An
/// error if only one side has steps, or if the sides have steps of different
/// loops. Valid as long as the runs.
Result<ComparedSteps> comparedSteps(const std::vector<Run> &Before,
                                    const std::vector<Run> &After);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_COMPAREDSTEPS_H
