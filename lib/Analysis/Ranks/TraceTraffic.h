// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication of PyTorch's traces, process by process, and of several
// processes together, by the rules of the TensorBoard plugin's distributed
// view.
//
//   events -> addTraffic -> Traffic, a process's own
//   processes -> workersOf -> what of their steps is transfer, what waiting

#ifndef LOOPSCOPE_ANALYSIS_RANKS_TRACETRAFFIC_H
#define LOOPSCOPE_ANALYSIS_RANKS_TRACETRAFFIC_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// Fills in \p To.Exchanged for a trace.
void addTraffic(Run &To);

/// A step of a process, or its average step.
struct WorkerStep {
  TrafficStep Of;
  /// Of the time that operations took, kernels or calls, as a union.
  int64_t TransferNs = 0;
  int64_t WaitNs = 0;
};

/// A process's steps.
struct Worker {
  std::string Process;
  std::vector<WorkerStep> Steps; ///< by start
  WorkerStep Average;
};

struct Workers {
  std::vector<Worker> List;
  /// Whether transfer and wait are known.
  bool IsSplit = false;
  std::vector<std::string> Notes; ///< why not
  /// Of the steps of processes without devices, ns; the second is what the rows
  /// have as communication alone, the third what the verdict takes for it.
  int64_t HostStepsNs = 0, AloneNs = 0, VerdictNs = 0;

  /// Whether the two are so far apart that a reader needs to know why.
  bool differFromVerdict() const;
};

/// The steps of the processes \p All, which are traces. \p Missing: some of the
/// run's processes aren't in \p All.
Workers workersOf(const std::vector<Run> &All, bool Missing);

/// Whether the operations of \p All correspond, in order: the same number in
/// each process, with the same names, numbers of parts and steps.
bool haveSameCalls(const std::vector<Run> &All);

/// How long part \p I of operation \p Call took the fastest process, ns; the
/// processes have the same operations.
int64_t leastPartNs(const std::vector<Run> &All, size_t Call, size_t I);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_TRACETRAFFIC_H
