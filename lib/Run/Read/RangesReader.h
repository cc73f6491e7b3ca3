// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts ranges that need not nest to the model.

#ifndef LOOPSCOPE_RUN_READ_RANGESREADER_H
#define LOOPSCOPE_RUN_READ_RANGESREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>

namespace loopscope {

/// Reads all of them into \p R, those of one name into one, and with \p Spans
/// each for itself, as far as the timeline has it. \p RunTicks: the length of
/// the run, at whose end its open ranges end. Records without a name or with
/// impossible times are left out and counted in R.Lost.BadRecords.
void readRanges(ProfileBytes &Records, const Clock &Ticks, uint64_t RunTicks,
                bool Spans, Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_RANGESREADER_H
