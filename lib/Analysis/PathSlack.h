// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much longer each piece of a timeline could have taken.
//
// What a piece delays is followed up to the first thing that was still held up
// by something else when the piece was done with: the time in between is the
// piece's slack. Nothing is left where that leads to the end of a thread that
// has steps.

#ifndef LOOPSCOPE_ANALYSIS_PATHSLACK_H
#define LOOPSCOPE_ANALYSIS_PATHSLACK_H

#include "Analysis/PathLanes.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// "Nothing that waited for it is known."
inline constexpr int64_t NoSlack = INT64_MAX;

/// The slack (ns) of each piece of LANES, by lane. HAS_STEPS: which lanes are
/// threads that have steps.
std::vector<std::vector<int64_t>> pathSlack(const PathLanes &Lanes,
                                            const std::vector<bool> &HasSteps);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_PATHSLACK_H
