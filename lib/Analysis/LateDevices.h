// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a rank's device comes late to what the ranks do together on devices.
//
// Of a device's operations nothing is known of what came before each of them,
// so the ranks' average steps are compared: what each phase's own work takes
// the device, and what its own useful time takes the host.

#ifndef LOOPSCOPE_ANALYSIS_LATEDEVICES_H
#define LOOPSCOPE_ANALYSIS_LATEDEVICES_H

#include "Analysis/Ranks.h"

#include <vector>

namespace loopscope {

/// The most of the average step that any rank's device communicates in while it
/// computes nothing: waiting there can't cost a step more. 1 where that isn't
/// known. \p All: the ranks of \p Of.
double mostLostOnDevices(const std::vector<Run> &All, const StageRanks &Of);

/// Names why the rank is late that \p To says is late for good: the one phase
/// that alone takes it so much longer than the others (their upper median), or
/// all that its device computes. Says nothing where two phases could be why.
/// \p Within: by rank and node, the nodes of \p To's steps.
void explainLateDevice(const std::vector<Run> &All,
                       const std::vector<std::vector<bool>> &Within,
                       StageRanks &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_LATEDEVICES_H
