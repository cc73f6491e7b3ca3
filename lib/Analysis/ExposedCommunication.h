// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices did during a run's steps: computing, communicating, or both at
// once. Communication is exposed while no computation overlaps it: the steps
// pay for it.

#ifndef LOOPSCOPE_ANALYSIS_EXPOSEDCOMMUNICATION_H
#define LOOPSCOPE_ANALYSIS_EXPOSEDCOMMUNICATION_H

#include "Run/Run.h"

#include <cstdint>

namespace loopscope {

/// The average step of a run, in ns, split as in TrafficStep. With several
/// devices, each part is the mean over them.
struct DeviceStep {
  uint64_t Steps = 0; ///< 0: none that communicates on a device
  size_t Devices = 0; ///< with work in steps
  TrafficStep Average;
  int64_t UnknownNs = 0; ///< communication beside work that isn't told apart
  /// Kernels of NCCL's in steps that count as computing, as no operation has
  /// them: they ran in a CUDA graph, say.
  uint64_t Unclaimed = 0;
};

/// Covers the outermost steps of \p P, including warm-up steps.
DeviceStep deviceStepOf(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_EXPOSEDCOMMUNICATION_H
