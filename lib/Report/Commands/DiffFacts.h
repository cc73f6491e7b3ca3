// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts in which two sides differ, as a table.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFFACTS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFFACTS_H

#include "Analysis/Compare/FactChanges.h"
#include "Report/Print/Table.h"

#include <vector>

namespace loopscope {

/// A row for each; no columns without any.
Table factChangeTable(const std::vector<FactChange> &Changes);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFFACTS_H
