// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The change of a mean step in the tables of `loopscope diff`: the figures that
// the page draws.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H

#include "Analysis/Compare/StepChange.h"
#include "Report/Print/Table.h"

namespace loopscope {

/// The parts of the mean step before and after; the last row is the step.
Table stepTable(const StepChange &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFSTEPS_H
