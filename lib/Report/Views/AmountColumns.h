// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns for the amounts of rows, such as floating-point operations.

#ifndef LOOPSCOPE_REPORT_VIEWS_AMOUNTCOLUMNS_H
#define LOOPSCOPE_REPORT_VIEWS_AMOUNTCOLUMNS_H

#include "Analysis/Tree/Amounts.h"
#include "Report/Print/Table.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// The columns of one table, and the notes that explain its rows.
class AmountColumns {
public:
  /// \p IsData: for csv and json, which have the peak beside each row.
  AmountColumns(const Run &R, bool IsData)
      : Given(amountsOf(R)), IsData(IsData), Peak(flopsPeak(R)) {}

  /// Whether the run gives any amount; if not, there are no columns.
  bool isUsed() const { return !Given.empty(); }

  std::vector<Column> columns() const;

  /// The cells of the row \p Name; see perSecond.
  std::vector<Cell> cells(const std::string &Name, const AmountSums &Of,
                          int64_t BusyNs);
  /// The cells of a row that has none.
  std::vector<Cell> noCells() const;

  /// Notes on the rows so far, above all on their denominators.
  std::vector<std::string> notes() const;

private:
  std::vector<SpanAmount> Given;
  bool IsData;
  FlopsPeak Peak;
  PerAmount<std::vector<std::string>> NotWhole; ///< rows without a rate
  bool IsAbovePeak = false;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_AMOUNTCOLUMNS_H
