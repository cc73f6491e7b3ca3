// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much longer each piece of a timeline could have taken.
//
// Whatever a piece delays is followed up to the first thing that something else
// was still holding up when the piece was done: the time between is the piece's
// slack. There is none if that leads to the end of a thread that has steps.

#ifndef LOOPSCOPE_ANALYSIS_PATH_PATHSLACK_H
#define LOOPSCOPE_ANALYSIS_PATH_PATHSLACK_H

#include "Analysis/Path/PathLanes.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// Nothing is known to have waited for the piece.
inline constexpr int64_t NoSlack = INT64_MAX;

/// The slack (ns) of each piece of \p Lanes, by lane. \p HasSteps: which lanes
/// are threads with steps.
std::vector<std::vector<int64_t>> pathSlack(const PathLanes &Lanes,
                                            const std::vector<bool> &HasSteps);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_PATH_PATHSLACK_H
