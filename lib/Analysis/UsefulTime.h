// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Useful time, defined once for all views: a thread's wall time outside waits.
//
// Waits are the places that are marked so, with all that runs in them, whatever
// the processor does there, and calls that wait for a device. A draw is useful
// but for the waits in it: it may make the batch itself.

#ifndef LOOPSCOPE_ANALYSIS_USEFULTIME_H
#define LOOPSCOPE_ANALYSIS_USEFULTIME_H

#include "Run/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Whether \p P has waits that are marked, and all that there is to know of the
/// others: the tree of a trace lacks the calls that wait for a device.
bool hasUsefulTime(const Run &P);

/// Per node of \p P, the part of its InclusiveNs that is waiting. What is left
/// is useful.
std::vector<int64_t> waitingTimes(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_USEFULTIME_H
