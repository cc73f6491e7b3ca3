// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `loopscope diff` says of two runs of several ranks.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H

#include "Analysis/RankDiff.h"
#include "Report/Print/Table.h"

#include <vector>

namespace loopscope {

/// Two tables a stage: the ranks' steps before and after, under who was late;
/// and the efficiencies where they are known.
std::vector<Table> rankTables(const std::vector<StageRankChange> &Stages);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFRANKS_H
