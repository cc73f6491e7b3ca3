// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels view: device functions of a trace, added up by name.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_KERNELROWS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_KERNELROWS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// All runs of one kernel. Times are ns.
struct KernelRow {
  std::string Name; ///< as recorded, may be mangled
  uint64_t Calls = 0;
  int64_t Total = 0;
  int64_t Busy = -1; ///< how long any of them ran; negative: not known
  int64_t Longest = 0;
  int64_t Shortest = 0;
  double BlocksPerSm = -1; ///< mean by duration; negative: not in the trace
  double Occupancy = -1;   ///< the same, percent
  uint64_t Untimed = 0;    ///< of Calls: without time stamps, in no duration
  std::string Phase;       ///< that launched it, in tables by phase
  /// In tables by phase, for a CUDA graph's kernels: the phase in which the
  /// graph's node was created; empty if that isn't known.
  std::string MadeIn;
};

/// One row per kernel, longest total time first; ties by name, in descending
/// order.
std::vector<KernelRow> addUpKernels(const EventStream &Trace);

/// The same with a row per kernel and phase that launched it: the innermost
/// annotation, step or data loader around the launching call, by the names of
/// the tree view. \p Trace has its tree, with launches.
std::vector<KernelRow> addUpKernelsByPhase(const Run &Trace);

/// Puts rows in the order of addUpKernels; rows of one kernel are ordered by
/// phase.
void sortKernels(std::vector<KernelRow> &Rows);

/// Whether \p Devices may have tensor cores, which are NVIDIA's and which
/// kernels' names tell: not if all that have a name are another maker's.
bool mayHaveTensorCores(const std::vector<DeviceProperties> &Devices);

/// A kernel's demangled name, for display.
std::string kernelName(std::string_view Name);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_KERNELROWS_H
