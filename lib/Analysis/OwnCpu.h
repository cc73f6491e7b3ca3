// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel says of the time that call paths have for themselves.
//
// The profile has it of measured spans, children included; a path whose spans
// are too short has none. What a measured path has beside its measured
// descendants belongs to itself and to the short ones in it: to each in
// proportion to its time, where all of that was spent in one way; else nobody
// knows which of them did what, and the measured path stands for all of them.

#ifndef LOOPSCOPE_ANALYSIS_OWNCPU_H
#define LOOPSCOPE_ANALYSIS_OWNCPU_H

#include "Run/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// A node's time without its children's, nanoseconds.
int64_t ownNs(const Run &P, uint32_t Node);

struct OwnCpu {
  /// By node, of its own time; MeasuredNs is that, or 0 where nothing is known.
  std::vector<CpuSums> Of;
  /// By node, the one that its time counts for: itself, or the measured one
  /// around it.
  std::vector<uint32_t> StandsFor;
};

/// \p PhaseOf: by node, the phase that it is or is in. \p IsDraw: by node,
/// whether its time is waiting for data; it never counts for another's.
OwnCpu ownCpu(const Run &P, const std::vector<uint32_t> &PhaseOf,
              const std::vector<bool> &IsDraw);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_OWNCPU_H
