// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel reports about the time that call paths spend themselves.
//
// A profile has such figures for measured spans, children included, and none
// for paths whose spans are too short. What a measured path has beyond its
// measured descendants belongs to itself and to the short paths in it. If all
// of that was spent in one way, each gets a part in proportion to its time;
// otherwise nobody knows which of them did what, and the measured path stands
// for all of them.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_OWNCPU_H
#define LOOPSCOPE_ANALYSIS_STEPS_OWNCPU_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// A node's time without its children and without a loop's last draw
/// (NestedLoops.h), nanoseconds.
int64_t ownNs(const Run &R, uint32_t Node);

struct OwnCpu {
  /// By node, for its own time. MeasuredNs equals that time, or is 0 if nothing
  /// is known.
  std::vector<CpuSums> Of;
  /// By node, the node whose figures include its time: itself, or the measured
  /// node around it.
  std::vector<uint32_t> StandsFor;
};

/// \p PhaseOf: by node, the phase that it is or is in. \p IsDraw: by node,
/// whether its time is waiting for data; that never counts for another node.
OwnCpu ownCpu(const Run &R, const std::vector<uint32_t> &PhaseOf,
              const std::vector<bool> &IsDraw);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_OWNCPU_H
