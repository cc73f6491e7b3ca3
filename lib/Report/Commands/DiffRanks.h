// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `loopscope diff` shows about two runs of several ranks.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H

#include "Analysis/Compare/RankDiff.h"
#include "Report/Print/Table.h"

#include <vector>

namespace loopscope {

/// Two tables per stage: the ranks' steps before and after, preceded by who was
/// late; and the efficiencies, if they are known.
std::vector<Table> rankTables(const std::vector<StageRankChange> &Stages);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H
