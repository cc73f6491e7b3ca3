// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Useful and own time, defined once for all views.
//
// A thread's useful time is its wall time outside waits, collectives and draws.
// Waits are the places marked as waits, with everything that runs in them,
// whatever the processor does there, and calls that wait for a device.
// Collectives include waiting for other ranks. A draw is waiting for data, also
// where it makes the batch itself: the batch could be made elsewhere.
//
// A rank's own time is useful time and draws: what others wait for if it is
// late.

#ifndef LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H
#define LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Whether \p Kind is a wait or a collective: its spans, with all below them,
/// are no own time.
bool isWaitOrCollective(loopscope_kind Kind);

/// Whether the time in \p Of, with all below it, is communication between
/// ranks: it is a collective or a call of MPI, except those that start and end
/// MPI.
bool isCommunication(const Run &R, const Node &Of);

/// Whether useful time is known for \p R: it has marked waits or collectives,
/// and everything else that counts as waiting. The tree of a trace lacks the
/// calls that wait for a device.
bool hasUsefulTime(const Run &R);

/// By node of \p R, the part of its InclusiveNs that is waiting or in
/// collectives. The rest is own time.
std::vector<int64_t> waitingTimes(const Run &R);

/// The same with draws. The rest is useful.
std::vector<int64_t> uselessTimes(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_USEFULTIME_H
