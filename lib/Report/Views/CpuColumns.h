// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns that show what the kernel says of a row's threads: one table of
// figures, which every view with such columns takes.

#ifndef LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H

#include "Report/Print/Table.h"
#include "Run/Cpu.h"
#include "Run/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// Whether P has such figures of any call path.
bool hasCpu(const Run &P);

/// The columns, processor time first. Their headers name seconds unless values
/// print their unit. FIRST_SPARE: the rank at which the last one is left out
/// where the table is too wide.
std::vector<Column> cpuColumns(Style Durations, unsigned FirstSpare);

/// The cells of cpuColumns for a row of TOTAL_NS; absent where the sums don't
/// stand for it.
std::vector<Cell> cpuCells(const CpuSums &Sums, int64_t TotalNs);
std::vector<Cell> noCpuCells();

/// What a reader of these columns has to know. SHORT: the names of rows that
/// have no figures; each is named once.
std::vector<std::string> cpuNotes(const std::vector<std::string> &Short);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_CPUCOLUMNS_H
