// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Useful time, defined once for all views: a thread's wall time outside waits
// and collectives, of which waiting for other ranks is a part.
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

/// Whether time in spans of \p Kind, with all below them, is never useful.
bool isUseless(loopscope_kind Kind);

/// Whether \p P has waits or collectives that are marked, and all that there is
/// to know of the others: the tree of a trace lacks the calls that wait for a
/// device.
bool hasUsefulTime(const Run &P);

/// Per node of \p P, the part of its InclusiveNs that is waiting or in
/// collectives. What is left is useful.
std::vector<int64_t> waitingTimes(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_USEFULTIME_H
