// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Useful time, defined once for all views: a thread's wall time outside waits
// and collectives. Collectives include waiting for other ranks.
//
// Waits are the places marked as waits, with everything that runs in them,
// whatever the processor does there, and calls that wait for a device. A draw
// is useful except for the waits in it, because it may make the batch itself.

#ifndef LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H
#define LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Whether time in spans of \p Kind, with all below them, is never useful.
bool isUseless(loopscope_kind Kind);

/// Whether useful time is known for \p P: it has marked waits or collectives,
/// and everything else that counts as waiting. The tree of a trace lacks the
/// calls that wait for a device.
bool hasUsefulTime(const Run &P);

/// By node of \p P, the part of its InclusiveNs that is waiting or in
/// collectives. The rest is useful.
std::vector<int64_t> waitingTimes(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H
