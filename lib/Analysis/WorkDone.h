// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations of call paths, by the second, and as a part of what
// the devices could do (MFU).

#ifndef LOOPSCOPE_ANALYSIS_WORKDONE_H
#define LOOPSCOPE_ANALYSIS_WORKDONE_H

#include "Run/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// What one or several call paths say that they do.
struct WorkSums {
  double Flops = 0;
  int64_t Ns = 0;      ///< of the spans that are meant, on the host
  bool IsSaid = false; ///< something was said
  bool IsWhole = true; ///< by every span that has flops(), and of every step

  void add(const WorkSums &Other);
};

/// By node, with all below it: what the node says, and where it says nothing,
/// what the outermost below it say. A batch does what its step says.
std::vector<WorkSums> workByNode(const Run &P);

/// Whether any node of the run says something.
bool saysWork(const Run &P);

/// What the run says while its innermost stage is one of \p Kind, on all its
/// threads, without a time. STAGE_OF: the kind of each node's innermost stage.
WorkSums workInStage(const Run &P, const std::vector<loopscope_kind> &StageOf,
                     loopscope_kind Kind);

/// What work is a part of.
struct WorkPeak {
  double FlopsPerSecond = 0; ///< of a device, or of a process; 0: not known
  double Devices = 1;        ///< of a process, that did work
  std::string Source;        ///< where the figure is from, or why there is none
};
WorkPeak workPeak(const Run &P);

/// What a row shows of its work.
struct WorkRate {
  std::optional<double> PerSecond;
  std::optional<double> MfuPercent; ///< of all of a process's devices
};

/// Of \p Work in its time, or where it is longer, in the \p BusyNs for which
/// all devices together were busy with it. Nothing where it isn't whole.
WorkRate rateOf(const WorkSums &Work, int64_t BusyNs, const WorkPeak &Peak);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_WORKDONE_H
