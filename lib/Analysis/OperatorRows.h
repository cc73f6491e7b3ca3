// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators view: PyTorch operators of a trace, added up by name.

#ifndef LOOPSCOPE_ANALYSIS_OPERATORROWS_H
#define LOOPSCOPE_ANALYSIS_OPERATORROWS_H

#include "Run/HostCalls.h"
#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// All calls of one operator. Times are ns.
struct OperatorRow {
  std::string Name;
  std::string Phase; ///< that ran it, where rows are by phase
  uint64_t Calls = 0;
  int64_t HostSelf = 0;
  int64_t HostTotal = 0;
  int64_t DeviceSelf = 0;
  int64_t DeviceTotal = 0;
  bool HasStack = false; ///< some call has a Python call stack
};

/// One row per operator, in the order in which operators first end on their
/// thread; with \p ByPhase one per operator and phase, for which \p Of needs
/// EventStream::NodeOf. Steps, data loading and Optimizer.* are no operators.
std::vector<OperatorRow> addUpOperators(const Run &Of, const HostCalls &Calls,
                                        bool ByPhase);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_OPERATORROWS_H
