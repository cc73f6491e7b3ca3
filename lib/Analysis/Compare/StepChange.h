// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the mean step became longer or shorter, part by part.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_STEPCHANGE_H
#define LOOPSCOPE_ANALYSIS_COMPARE_STEPCHANGE_H

#include "Analysis/Compare/ActionRows.h"
#include "Analysis/Compare/ComparedSteps.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A part of the step: the draw, a phase, or the time in none.
struct StepPartChange : TimeChange {
  AccountUse Use = AccountUse::Phase;
  std::string Name;
  const ActionChange *Row = nullptr; ///< null: it is no row of the tables
};

/// From the mean step before to the mean step after, of comparedSteps(). The
/// parts add up to either, and their changes to the difference.
struct StepChange {
  struct Side {
    uint64_t Count = 0; ///< of steps, or runs
    std::string Place;  ///< the loop's: "train.c:12"; may be empty
    double MeanNs = 0;
  };
  bool AreSteps = false;   ///< else runs
  bool IsTraining = false; ///< steps of a training loop
  Side Before, After;
  std::vector<StepPartChange> Parts; ///< largest change first; in no phase last
  /// Of the mean step. None if there is too little data, if loops run inside
  /// the steps, and without steps unless several runs are compared.
  std::optional<MeanTest> Test;
  std::string WhyNoTest; ///< a sentence without its end; "" with a test
};

/// \p Stages are those of the same runs.
StepChange stepChange(const ComparedSteps &Of,
                      const std::vector<StageChange> &Stages, DiffTest By);

/// Whether and how the mean step changed, in a sentence: "The mean step changed
/// by +9.38% (95% interval: +7.90% to +10.9%)."
std::string changeSentence(const StepChange &Of);

/// The first \p Most of the parts, and all others as one.
std::vector<StepPartChange> largestParts(const StepChange &Of, size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_STEPCHANGE_H
