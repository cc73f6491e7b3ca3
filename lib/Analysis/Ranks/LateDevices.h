// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a rank's device comes late to operations that the ranks do together on
// devices.
//
// What preceded each operation on a device isn't known, so the ranks' average
// steps are compared: how long each phase's own work takes the device, and how
// long its own useful time takes the host.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_LATEDEVICES_H
#define LOOPSCOPE_ANALYSIS_RANKS_LATEDEVICES_H

#include "Analysis/Ranks/Ranks.h"

#include <vector>

namespace loopscope {

/// The largest part of the average step in which any rank's device communicates
/// without computing: waiting there can't cost a step more than that. 1 if it
/// isn't known. \p All: the ranks of \p Of.
double mostLostOnDevices(const std::vector<Run> &All, const StageRanks &Of);

/// Names the reason why the persistently late rank of \p To is late: the one
/// phase that takes it long enough longer than the others (their upper median),
/// or everything that its device computes. Names none if two phases could be
/// the reason. \p Within: by rank and node, the nodes of \p To's steps.
void explainLateDevice(const std::vector<Run> &All,
                       const std::vector<std::vector<bool>> &Within,
                       StageRanks &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_LATEDEVICES_H
