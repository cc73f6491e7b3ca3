// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bounds a run of ours, and which phase pays for another's GPU work: the
// sentences that stand below every view. Thresholds are in docs/report.md.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_H
#define LOOPSCOPE_ANALYSIS_VERDICT_H

#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The times that a verdict rests on, over all steps or, in a run without
/// loops, over the main thread's life. Host times are sums over threads.
struct RunFigures {
  bool HasSteps = false;
  bool HasGpu = false;
  int64_t SpanNs = 0;    ///< all steps; or wall time
  int64_t DrawNs = 0;    ///< waiting for data
  int64_t LaunchNs = 0;  ///< in calls that put work on a device
  int64_t BlockedNs = 0; ///< in calls that wait for a device
  int64_t OtherNs = 0;   ///< in other CUDA calls
  /// What GPU times are shares of: the span, per device.
  int64_t DeviceSpanNs = 0;
  int64_t KernelNs = 0; ///< unions of the kernels of these steps
  int64_t BusyNs = 0;   ///< unions of all their work
  uint64_t Kernels = 0; ///< with times and a known launch, in the whole run
  uint64_t ShortKernels = 0; ///< of these, shorter than their launch
};

RunFigures runFigures(const Run &P);

/// "Verdict: input-bound: ...", one line; empty where the run gives no ground
/// for one (no loop and no GPU work).
std::string verdict(const RunFigures &Figures);

/// One line for each phase whose host time is mostly waiting for GPU work that
/// another phase launched: "Warning: opt_step: 84 % of its host time ...".
std::vector<std::string> waitWarnings(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_H
