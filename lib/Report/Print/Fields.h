// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns that know how their cells are made, so that a column is one entry of
// one list, whatever stands before it and whether it is there.

#ifndef LOOPSCOPE_REPORT_PRINT_FIELDS_H
#define LOOPSCOPE_REPORT_PRINT_FIELDS_H

#include "Report/Print/Table.h"

#include <functional>
#include <utility>
#include <vector>

namespace loopscope {

/// A column, and its cell in the row of a SOURCE.
template <typename Source> struct Field {
  Column Shown;
  std::function<Cell(const Source &)> Of;
};

template <typename Source> using Fields = std::vector<Field<Source>>;

template <typename Source>
std::vector<Column> columnsOf(const Fields<Source> &From) {
  std::vector<Column> Result;
  for (const Field<Source> &Each : From)
    Result.push_back(Each.Shown);
  return Result;
}

template <typename Source>
std::vector<Cell> cellsOf(const Fields<Source> &From, const Source &Row) {
  std::vector<Cell> Result;
  for (const Field<Source> &Each : From)
    Result.push_back(Each.Of(Row));
  return Result;
}

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_FIELDS_H
