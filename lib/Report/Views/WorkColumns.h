// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns for the floating-point operations of rows.

#ifndef LOOPSCOPE_REPORT_VIEWS_WORKCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_WORKCOLUMNS_H

#include "Analysis/Tree/WorkDone.h"
#include "Report/Print/Table.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// The columns of one table, and the notes that explain its rows.
class WorkColumns {
public:
  /// \p IsData: for csv and json, which have the peak beside each row.
  WorkColumns(const Run &P, bool IsData)
      : IsUsed(saysWork(P)), IsData(IsData), Peak(workPeak(P)) {}

  /// Whether the run reports any work; if not, there are no columns.
  bool isUsed() const { return IsUsed; }

  std::vector<Column> columns() const;

  /// The cells of the row \p Name; see rateOf.
  std::vector<Cell> cells(const std::string &Name, const WorkSums &Work,
                          int64_t BusyNs);
  /// The cells of a row that does no work.
  std::vector<Cell> noCells() const;

  /// Notes on the rows so far, above all on their denominators.
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
