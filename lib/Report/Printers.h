// Sections to bytes. A printer knows tables, never views.
#ifndef LOOPSCOPE_REPORT_PRINTERS_H
#define LOOPSCOPE_REPORT_PRINTERS_H

#include "Report/Table.h"
#include "Report/View.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loopscope {

/// Where text goes to.
struct Terminal {
  /// Columns; 0 when there is no limit (a file, a pipe).
  size_t Width = 0;
  /// Whether it shows colours and wants them.
  bool Colours = false;
  /// Whether it shows more than ASCII in bars.
  bool Utf8 = true;
};

/// A cell as text and markdown show it, under a column's style.
std::string cellText(const Cell &C, const Column &Under);

/// A cell as csv shows it: bare numbers in SI units, seconds for durations.
std::string cellData(const Cell &C);

/// True for columns that are printed flush left.
bool isLeftAligned(const Column &C);

std::string printText(const std::vector<Section> &Report,
                      const Terminal &Where);
std::string printMarkdown(const std::vector<Section> &Report);
/// RFC 4180. Several tables are each preceded by an empty line and a "# " line
/// with the title, but for the first one's empty line; one table has neither.
std::string printCsv(const std::vector<Section> &Report);
/// docs/report.schema.json.
std::string printJson(const std::vector<Section> &Report);

/// Any of the above, or the sections' own documents for TensorBoardJson.
std::string print(const std::vector<Section> &Report, Format How,
                  const Terminal &Where);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINTERS_H
