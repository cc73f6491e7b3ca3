// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts ranges that need not nest to the model.

#ifndef LOOPSCOPE_RUN_READ_RANGESREADER_H
#define LOOPSCOPE_RUN_READ_RANGESREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Reads all of them. \p RunTicks: the length of the run, at whose end its open
/// ranges end. Records without a name or with impossible times are left out and
/// counted in Lost.BadRecords.
std::vector<RangeSum> readRanges(ProfileBytes &Records, const Clock &Ticks,
                                 uint64_t RunTicks, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_RANGESREADER_H
