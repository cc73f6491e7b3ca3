// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns that show the floating-point operations of rows.

#ifndef LOOPSCOPE_REPORT_VIEWS_WORKCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_WORKCOLUMNS_H

#include "Analysis/WorkDone.h"
#include "Report/Print/Table.h"
#include "Run/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// The columns of one table, and what their rows have to be explained by.
class WorkColumns {
public:
  /// IS_DATA: for csv and json, which have the peak beside each row.
  WorkColumns(const Run &P, bool IsData)
      : IsUsed(saysWork(P)), IsData(IsData), Peak(workPeak(P)) {}

  /// Whether the run says anything; without, there are no columns.
  bool isUsed() const { return IsUsed; }

  std::vector<Column> columns() const;

  /// The cells of the row NAME; see rateOf.
  std::vector<Cell> cells(const std::string &Name, const WorkSums &Work,
                          int64_t BusyNs);
  /// Those of a row that does no work.
  std::vector<Cell> noCells() const;

  /// What a reader has to know of the rows so far, the denominators above all.
  std::vector<std::string> notes() const;

private:
  bool IsUsed;
  bool IsData;
  WorkPeak Peak;
  std::vector<std::string> NotWhole; ///< rows without a rate
  bool IsAbovePeak = false;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_WORKCOLUMNS_H
