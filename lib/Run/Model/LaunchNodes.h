// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in a trace's tree work was launched.

#ifndef LOOPSCOPE_RUN_MODEL_LAUNCHNODES_H
#define LOOPSCOPE_RUN_MODEL_LAUNCHNODES_H

#include "Run/Model/HostCalls.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The node of each runtime call of \p R, a trace with a tree, in the order of
/// its LaunchLinks: that of the innermost of \p Calls around it or, if that is
/// in no phase, of what the main thread, on \p MainTrack, did at the time; the
/// root of the main thread if that did nothing. \p PathOf is the node by call,
/// None for merged ones.
std::vector<uint32_t> nodesOfLaunches(const Run &R, const HostCalls &Calls,
                                      const std::vector<uint32_t> &PathOf,
                                      uint32_t MainTrack);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_LAUNCHNODES_H
