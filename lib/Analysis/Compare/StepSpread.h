// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long steps take on both sides: the distributions over each other, and how
// the mean changed along the run.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_STEPSPREAD_H
#define LOOPSCOPE_ANALYSIS_COMPARE_STEPSPREAD_H

#include "Analysis/Compare/ComparedSteps.h"
#include "Analysis/Steps/HistoryCurves.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// The steps' durations in the same buckets on both sides, those of the
/// recorded histograms: at most an eighth wide.
struct StepSpread {
  struct Side {
    uint64_t Steps = 0;
    std::vector<double> Percent; ///< of the side's steps, by bucket
    double P50Ns = 0;
    double P95Ns = 0;
  };
  /// Bucket I is from EdgesNs[I] to EdgesNs[I + 1]. The first and the last one
  /// have steps.
  std::vector<double> EdgesNs;
  Side Before, After;
};

/// An error, which says why, if durations of single steps aren't known.
Result<StepSpread> stepSpread(const ComparedSteps &Of);

/// The mean step along both runs, in the same number of bins. Where a recorded
/// bin is in two of these, it counts for each in proportion.
struct StepCurves {
  struct Line {
    std::vector<double> Steps; ///< that ended, by bin
    std::vector<double> Ns;    ///< of all steps, by bin

    /// By bin. A step that ends in a bin may have begun before it, so
    /// neighbours have one mean until they have 5 steps; not a number where
    /// there are fewer, and where the loop didn't run.
    std::vector<double> meansNs() const;
  };
  struct Side {
    Line ByShare; ///< bins are equal parts of the run's time
    Line ByStep;  ///< bins are equal parts of MostSteps; without those after
                  ///< the side's last step
  };
  size_t Bins = 0;
  uint64_t MostSteps = 0; ///< of the side with more of them
  size_t Processes = 1;   ///< of the side with more of them, taken together
  Side Before, After;
};

/// Of the longest training loop of both, or the longest other one if \p
/// IsTraining is false. An error, which says why, if there are too few steps or
/// bins.
Result<StepCurves> stepCurves(const HistoryCurves &Before,
                              const HistoryCurves &After, bool IsTraining);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_STEPSPREAD_H
