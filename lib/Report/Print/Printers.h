// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts sections to bytes. A printer knows tables, never views.

#ifndef LOOPSCOPE_REPORT_PRINT_PRINTERS_H
#define LOOPSCOPE_REPORT_PRINT_PRINTERS_H

#include "Report/Print/Section.h"
#include "Report/Print/Table.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// The layout of the simple view; loopscope/style_names.h has the names.
enum class TableStyle {
  Plain,    ///< columns as narrow as their contents, like all other views
  Lightning ///< PyTorch Lightning's frame, whatever its width
};

/// Where text goes, and how it is laid out there.
struct Terminal {
  /// In columns; 0 for no limit (a file, a pipe).
  size_t Width = 0;
  /// Whether it shows colours, and they are wanted.
  bool Colours = false;
  /// Whether bars may use more than ASCII.
  bool Utf8 = true;
  TableStyle Style = TableStyle::Plain;
};

/// \p Text with units of microseconds that need no more than ASCII.
std::string withAsciiUnits(std::string Text);

/// A cell as shown in text and markdown, in a column's style.
std::string cellText(const Cell &C, const Column &Under);

/// A cell as csv shows it: bare numbers in SI units, seconds for durations.
std::string cellData(const Cell &C);

/// Whether the column is printed flush left.
bool isLeftAligned(const Column &C);

/// Version of the json's structure, in its field "loopscope_report".
inline constexpr int JsonSchemaVersion = 1;

std::string printText(const std::vector<Section> &Report,
                      const Terminal &Where);
std::string printMarkdown(const std::vector<Section> &Report);
/// One table with one header line, by RFC 4180: the rows of all sections, with
/// \p Bare text. The first columns are the section, if there are several, as
/// "rank" or "file", and what distinguishes its tables (Table::Where). Cells
/// that a table lacks are empty.
std::string printCsv(const std::vector<Section> &Report, bool Bare);
/// Follows docs/report.schema.json, whose version is JsonSchemaVersion.
std::string printJson(const std::vector<Section> &Report);

/// \p Text as a JSON string, in quotes. Bytes that aren't UTF-8 are replaced.
std::string jsonString(std::string_view Text);

/// Any of the above, in format \p As, or the sections' own documents for
/// TensorBoardJson.
std::string print(const std::vector<Section> &Report, Format As, bool Bare,
                  const Terminal &Where);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_PRINTERS_H
