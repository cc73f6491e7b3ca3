// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices did during a run's steps: computing, communicating, or both at
// once. Communication is exposed while no computation overlaps it: the steps
// pay for it.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_EXPOSEDCOMMUNICATION_H
#define LOOPSCOPE_ANALYSIS_RANKS_EXPOSEDCOMMUNICATION_H

#include "Run/Model/Run.h"

#include <cstdint>

namespace loopscope {

/// The average step of a run, in ns, split as in TrafficStep. With several
/// devices, each part is the mean over them.
struct DeviceStep {
  uint64_t Steps = 0; ///< 0: none of them communicates on a device
  size_t Devices = 0; ///< with work in steps
  TrafficStep Average;
  int64_t UnknownNs = 0; ///< communication overlapped by work that isn't known
  /// NCCL kernels in steps that count as computing, because they belong to no
  /// known operation: for example, they ran in a CUDA graph.
  uint64_t Unclaimed = 0;
};

/// Covers the outermost steps of \p R, including warm-up steps.
DeviceStep deviceStepOf(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_EXPOSEDCOMMUNICATION_H
