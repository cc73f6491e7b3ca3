// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rates, shares and quantiles of a history's curves: made once, of one base
// each, for every printer.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_HISTORYFIGURES_H
#define LOOPSCOPE_ANALYSIS_STEPS_HISTORYFIGURES_H

#include "Analysis/Steps/HistoryCurves.h"

#include <vector>

namespace loopscope {

/// Fills in what \p To has beside times and counts: Processes, ProcessNs, rates
/// and shares. \p Processes: the histories that were combined, each with at
/// least one bin. \p Bins: which bins \p To has.
void addHistoryFigures(const std::vector<RunHistory> &Processes, CurveBins Bins,
                       HistoryCurves &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_HISTORYFIGURES_H
