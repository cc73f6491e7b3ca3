// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts numbers over time to the model.

#ifndef LOOPSCOPE_RUN_READ_VALUESREADER_H
#define LOOPSCOPE_RUN_READ_VALUESREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <vector>

namespace loopscope {

/// Reads all of them; no bin ends after the run, which took \p RunNs. Records
/// that no runtime writes, and a name's second ones, are left out and counted
/// in Lost.BadRecords.
std::vector<RunValue> readValues(ProfileBytes &Records, const Clock &Ticks,
                                 int64_t RunNs, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_VALUESREADER_H
