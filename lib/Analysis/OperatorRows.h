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

/// What operators of one name are apart by.
enum class OperatorsBy {
  Name,  ///< nothing
  Phase, ///< the phase that ran them
  Shape  ///< shapes and types of their inputs; of profiles
};

/// All calls of one operator. Times are ns.
struct OperatorRow {
  std::string Name;
  uint64_t Calls = 0;
  int64_t HostSelf = 0;
  int64_t HostTotal = 0;
  int64_t DeviceSelf = 0;
  int64_t DeviceTotal = 0;
  bool HasStack = false; ///< some call has a Python call stack
  std::string Phase;     ///< that ran it, where rows are by phase
  OperatorInputs Inputs; ///< where rows are by shape; empty: not recorded
  /// Of a backward operator: those whose gradients it computes, most calls
  /// first, as "aten::addmm in forward". Empty where nothing is known.
  std::string Forward;
  /// Of a profile's run, that the row sums up; of a trace's, that ran it, where
  /// they are known.
  std::vector<uint32_t> Nodes;
};

/// One row per operator, in the order in which operators first end on their
/// thread; with \p ByPhaseOf, the trace's run, which then has
/// EventStream::NodeOf, one per operator and phase. Steps, data loading and
/// Optimizer.* are no operators.
std::vector<OperatorRow> addUpOperators(const EventStream &Trace,
                                        const HostCalls &Calls,
                                        const Run *ByPhaseOf = nullptr);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_OPERATORROWS_H
