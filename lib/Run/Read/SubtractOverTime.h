// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a part of a run has of records that have their times: bins of the
// history and of values, rings, timelines, ranges, experiments.

#ifndef LOOPSCOPE_RUN_READ_SUBTRACTOVERTIME_H
#define LOOPSCOPE_RUN_READ_SUBTRACTOVERTIME_H

#include "Run/Read/HistoryReader.h"
#include "Run/Read/SubtractRules.h"

namespace loopscope {

/// Subtracts the bins of the history \p Now by those of the earlier profile,
/// \p Then. The first bin begins with the part.
void subtractHistory(TwoProfiles &Both, const HistoryRecords &Now,
                     const HistoryRecords &Then);

/// Leaves out what came before in all others, and counts times that are since
/// the run's start from the part's.
void subtractOverTime(TwoProfiles &Both, Subtracted &Learned);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SUBTRACTOVERTIME_H
