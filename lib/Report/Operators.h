// The operators view: PyTorch operators of a trace, added up by name.
#ifndef LOOPSCOPE_REPORT_OPERATORS_H
#define LOOPSCOPE_REPORT_OPERATORS_H

#include "Profile/KinetoCalls.h"
#include "Profile/KinetoTrace.h"
#include "Report/Table.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// All calls of one operator. Times are ns.
struct OperatorRow {
  uint32_t Name = 0; ///< in KinetoTrace::Strings
  uint64_t Calls = 0;
  int64_t HostSelf = 0;
  int64_t HostTotal = 0;
  int64_t DeviceSelf = 0;
  int64_t DeviceTotal = 0;
  bool HasStack = false; ///< some call has a Python call stack
};

/// One row per operator, in the order in which operators first end on their
/// thread. Steps, data loading and Optimizer.* are no operators.
std::vector<OperatorRow> addUpOperators(const KinetoTrace &Trace,
                                        const HostCalls &Calls);

/// The view's table: by device time of its own, or host time in a run without
/// a GPU.
Table buildOperators(const KinetoTrace &Trace, const HostCalls &Calls,
                     std::vector<OperatorRow> Rows);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_OPERATORS_H
