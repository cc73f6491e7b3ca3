// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The change of a mean step in the tables of `loopscope diff`: the figures that
// the page draws.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H

#include "Analysis/Compare/PathChanges.h"
#include "Analysis/Compare/StepChange.h"
#include "Analysis/Compare/StepSpread.h"
#include "Report/Print/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// A change, with three significant digits and two decimals at most; "no limit"
/// for infinity.
Cell signedPercent(double Percent);

/// What times and bases in these tables mean.
std::string basisNote();

/// The parts of the mean step before and after; the last row is the step.
Table stepTable(const StepChange &Of);

/// The durations of steps by bucket, and their quantiles.
Table stepTimesTable(const StepSpread &Of);
Table quantileTable(const StepSpread &Of);

/// The mean step along both runs: in bins of equal parts of the runs' time, and
/// of the steps.
Table curveTable(const StepCurves &Of);
Table curveByStepTable(const StepCurves &Of);

/// The call paths of the step as a tree, with the change of each.
Table pathTable(const std::vector<PathChange> &Paths);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H
