// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns for what the kernel reports about a row's threads: one table of
// figures, shared by every view with such columns.

#ifndef LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H

#include "Report/Print/Table.h"
#include "Run/Model/Cpu.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// Whether any call path of \p R has such figures.
bool hasCpu(const Run &R);

/// The columns, processor time first. Their headers name seconds unless values
/// print their unit. \p FirstSpare: the priority number at which the last one
/// is dropped if the table is too wide.
std::vector<Column> cpuColumns(Style Durations, unsigned FirstSpare);

/// The cells of cpuColumns for a row of \p TotalNs; absent if the sums don't
/// represent it.
std::vector<Cell> cpuCells(const CpuSums &Sums, int64_t TotalNs);
std::vector<Cell> noCpuCells();

/// Notes for readers of these columns. \p Short: names of the rows without
/// figures; each is mentioned once.
std::vector<std::string> cpuNotes(const std::vector<std::string> &Short);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H
