// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON documents of PyTorch's retired TensorBoard plugin, byte for byte, so
// that tools built on them keep working. Each is one line that ends with a
// newline.

#ifndef LOOPSCOPE_REPORT_PRINT_TENSORBOARDJSON_H
#define LOOPSCOPE_REPORT_PRINT_TENSORBOARDJSON_H

#include "Analysis/Device/KernelRows.h"
#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Run/Model/Events.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// overview.json of a run of WORKERS processes
std::string tensorBoardOverview(const StepAnalysis &Analysis, int64_t Workers);

/// operator_pie.json, then operator_table.json
std::string tensorBoardOperators(const std::vector<OperatorRow> &Rows,
                                 bool UsesGpu);

/// kernel_table.json, then kernel_pie.json
std::string tensorBoardKernels(const std::vector<KernelRow> &Rows);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_TENSORBOARDJSON_H
