// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections to bytes. A printer knows tables, never views.

#ifndef LOOPSCOPE_REPORT_PRINT_PRINTERS_H
#define LOOPSCOPE_REPORT_PRINT_PRINTERS_H

#include "Report/Print/Section.h"
#include "Report/Print/Table.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// How the simple view is laid out; loopscope/view_names.h has the names.
enum class TableStyle {
  Plain,    ///< columns as narrow as their contents, like all other views
  Lightning ///< PyTorch Lightning's frame, whatever its width
};

/// Where text goes to, and how it is laid out there.
struct Terminal {
  /// Columns; 0 when there is no limit (a file, a pipe).
  size_t Width = 0;
  /// Whether it shows colours and wants them.
  bool Colours = false;
  /// Whether it shows more than ASCII in bars.
  bool Utf8 = true;
  TableStyle Style = TableStyle::Plain;
};

/// A cell as text and markdown show it, under a column's style.
std::string cellText(const Cell &C, const Column &Under);

/// A cell as csv shows it: bare numbers in SI units, seconds for durations.
std::string cellData(const Cell &C);

/// True for columns that are printed flush left.
bool isLeftAligned(const Column &C);

/// Of the shape of json, in its field "loopscope_report".
inline constexpr int JsonSchemaVersion = 1;

std::string printText(const std::vector<Section> &Report,
                      const Terminal &Where);
std::string printMarkdown(const std::vector<Section> &Report);
/// One table with one header line, as RFC 4180 says: the rows of all sections,
/// with \p Bare text. In front stand the section, where there are several, by
/// "rank" or "file", and what tells its tables apart (Table::Where). Cells that
/// a table doesn't have are empty.
std::string printCsv(const std::vector<Section> &Report, bool Bare);
/// By docs/report.schema.json, whose version is JsonSchemaVersion.
std::string printJson(const std::vector<Section> &Report);

/// TEXT as a JSON string, in quotes. Bytes that aren't UTF-8 are replaced.
std::string jsonString(std::string_view Text);

/// Any of the above, in format \p As, or the sections' own documents for
/// TensorBoardJson.
std::string print(const std::vector<Section> &Report, Format As, bool Bare,
                  const Terminal &Where);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_PRINTERS_H
