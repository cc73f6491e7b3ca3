// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns that show the GPU side of rows.

#ifndef LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H

#include "Analysis/GpuSums.h"
#include "Report/Print/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// The columns that show GPU figures, GPU time first; memory last, where it is
/// known. Their headers name seconds unless values print their unit.
std::vector<Column> gpuColumns(const GpuByNode &Gpu, Style Durations);

/// The cells of gpuColumns.
std::vector<Cell> gpuCells(const GpuByNode &Gpu, const GpuSums &Sums);

/// What a reader of these columns has to know; nothing without GPU data.
std::vector<std::string> gpuNotes(const GpuByNode &Gpu);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_GPUCOLUMNS_H
