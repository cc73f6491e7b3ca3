// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What printers print: one input's tables, facts and footer.

#ifndef LOOPSCOPE_REPORT_PRINT_SECTION_H
#define LOOPSCOPE_REPORT_PRINT_SECTION_H

#include "Report/Print/Table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// A report's format. TensorBoardJson is for views with a document
/// (View::Document), which goes into Section::Raw.
enum class Format { Text, Markdown, Csv, Json, Html, TensorBoardJson };

/// Every format with its name on the command line.
const std::vector<std::pair<std::string, Format>> &formatNames();

/// One input's part of a report.
struct Section {
  /// The input's file name, and what distinguishes it from the others ("rank
  /// 3").
  std::string File;
  std::string Label;
  int64_t Rank = -1; ///< -1: not a distributed run
  /// json key of the view: "simple".
  std::string ViewName;
  /// The run as key/value pairs, for json ("program", "wall_s", ...).
  std::vector<std::pair<std::string, Cell>> Facts;
  /// Objects among them.
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Cell>>>>
      Objects;
  std::vector<Table> Tables;
  /// Lines below all tables: the profiler's own cost, and data integrity.
  std::vector<std::string> Footer;
  /// The same as counts, for json ("spans_lost": 0).
  std::vector<std::pair<std::string, Cell>> Integrity;
  /// What is wrong with the input, although it could be read in part; printed
  /// as an error with exit code 1. Empty if nothing is.
  std::string Problem;
  /// A finished document that is printed instead of the tables
  /// (Format::TensorBoardJson).
  std::string Raw;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_SECTION_H
