// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations of call paths: per second, and as a share of what
// the devices could do (MFU).

#ifndef LOOPSCOPE_ANALYSIS_TREE_WORKDONE_H
#define LOOPSCOPE_ANALYSIS_TREE_WORKDONE_H

#include "Run/Model/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// The work that one call path or several report.
struct WorkSums {
  double Flops = 0;
  int64_t Ns = 0;      ///< of the spans that report work, on the host
  bool IsSaid = false; ///< some work was reported
  bool IsWhole = true; ///< every span with flops() and every step reported it

  void add(const WorkSums &Other);
};

/// By node, including everything below it: what the node reports or, if it
/// reports nothing, the sum of what the outermost nodes below it report. A
/// batch does what its step reports.
std::vector<WorkSums> workByNode(const Run &P);

/// Whether any node of the run reports work.
bool saysWork(const Run &P);

/// The work reported while the innermost stage is one of \p Kind, on all
/// threads, without its time. \p StageOf: the kind of each node's innermost
/// stage.
WorkSums workInStage(const Run &P, const std::vector<loopscope_kind> &StageOf,
                     loopscope_kind Kind);

/// What work is compared with.
struct WorkPeak {
  double FlopsPerSecond = 0; ///< of a device, or of a process; 0: not known
  double Devices = 1;        ///< of a process, that did work
  std::string Source; ///< where the figure comes from, or why there is none
};
WorkPeak workPeak(const Run &P);

/// What a row shows about its work.
struct WorkRate {
  std::optional<double> PerSecond;
  std::optional<double> MfuPercent; ///< of all of a process's devices
};

/// The rate of \p Work over its time or, if longer, over \p BusyNs, for which
/// all devices together were busy with it. Empty if the work isn't complete.
WorkRate rateOf(const WorkSums &Work, int64_t BusyNs, const WorkPeak &Peak);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_WORKDONE_H
