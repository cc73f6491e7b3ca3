// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators view: PyTorch operators of a trace, added up by name.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_OPERATORROWS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_OPERATORROWS_H

#include "Run/Model/HostCalls.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// What operators of one name are apart by.
enum class OperatorsBy {
  Name,  ///< nothing
  Phase, ///< the phase that ran them
  Shape  ///< shapes and types of their inputs
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
  std::string Phase;     ///< that ran it, in tables by phase
  OperatorInputs Inputs; ///< in tables by shape; empty if not recorded
  /// For a backward operator: those whose gradients it computes, most calls
  /// first, such as "aten::addmm in forward". Empty if they aren't known.
  std::string Forward;
  /// The nodes of a profile that the row sums up; for a trace, the nodes that
  /// ran it, if known.
  std::vector<uint32_t> Nodes;
};

/// One row per operator, in the order in which operators first end on their
/// thread, and phase or inputs. By phase, \p Trace must have
/// EventStream::NodeOf filled in. Steps, data loading and Optimizer.* don't
/// count as operators.
std::vector<OperatorRow> addUpOperators(const Run &Trace,
                                        const HostCalls &Calls,
                                        OperatorsBy By = OperatorsBy::Name);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_OPERATORROWS_H
