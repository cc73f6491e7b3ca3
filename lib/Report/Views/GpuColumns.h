// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns that show the GPU side of rows.

#ifndef LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H

#include "Analysis/Tree/GpuSums.h"
#include "Report/Print/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// The columns with GPU figures, GPU time first and memory, if known, last.
/// Their headers name seconds unless values print their unit.
std::vector<Column> gpuColumns(const GpuByNode &Gpu, Style Durations);

/// The cells of gpuColumns.
std::vector<Cell> gpuCells(const GpuByNode &Gpu, const GpuSums &Sums);

/// Notes for readers of these columns; none without GPU data.
std::vector<std::string> gpuNotes(const GpuByNode &Gpu);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H
