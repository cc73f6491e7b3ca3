// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that need not nest: records to the model.

#ifndef LOOPSCOPE_RUN_READ_RANGESREADER_H
#define LOOPSCOPE_RUN_READ_RANGESREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Reads all of them. RUN_TICKS: how long the run has lasted, to which its open
/// ranges do. What has no name, or no time that can be, is counted in
/// LOST.BadRecords and left out.
std::vector<RangeSum> readRanges(ProfileBytes &Records, const Clock &Ticks,
                                 uint64_t RunTicks, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_RANGESREADER_H
