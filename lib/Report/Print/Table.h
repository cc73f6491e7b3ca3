// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one kind of table that every view builds and every printer prints:
// columns are data, cells hold values in SI units, and a printer never knows
// which view it prints.

#ifndef LOOPSCOPE_REPORT_PRINT_TABLE_H
#define LOOPSCOPE_REPORT_PRINT_TABLE_H

#include "Report/Print/Bar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace loopscope {

/// An exact duration. csv and json print it as seconds with all its digits.
struct Nanoseconds {
  int64_t Count = 0;
  bool operator==(const Nanoseconds &) const = default;
};

/// How a column's values look in text and markdown. csv and json always print
/// the bare value: durations in seconds, shares in percent, everything else
/// unchanged.
enum class Style {
  Text,     ///< names
  Integer,  ///< 1000
  Python5,  ///< Python's ':.5': 539.63, 1.2345e+04
  Duration, ///< as fastxtend prints it, with four digits: 86.62ms, 35.63 s
  Time,     ///< three significant digits and a unit: 86.6 ms, 35.6 s
  Percent,  ///< 80%; no digit after the point
  Percent1, ///< 62.1%
  Percent2, ///< 62.10%
  Rate,     ///< samples per second: 739, 4.25
  Number,   ///< up to six significant digits
  Bar ///< Bar or Curve cells; as wide as the place allows. A tab in the header
      ///< parts what stands at the bars' left and right ends
};

/// One value. std::monostate means that there is none: blank in text, empty in
/// csv, null in json. A double in a Duration column is in seconds.
struct Cell {
  std::variant<std::monostate, int64_t, double, Nanoseconds, std::string, Bar,
               Curve>
      Value;
  /// If not empty, what text and markdown print instead of the value ("-", "100
  /// %").
  std::string Text;
};

/// One column.
struct Column {
  /// The csv header and json key, with the unit: "total_s". Stable.
  std::string Key;
  /// The header in text and markdown, with the unit unless values print theirs.
  std::string Header;
  Style Format = Style::Text;
  /// On a narrow terminal, text drops columns, highest number first; never
  /// those with 0.
  unsigned Priority = 0;
  /// Whether text may cut the ends of the column's texts on a narrow terminal.
  /// For columns other than the first, whose names are elided.
  bool MayCut = false;
  /// The most cells of a bar in this column; 0: as wide as the place allows.
  size_t MostCells = 0;
};

/// How a row stands out if text has colours.
enum class Tone {
  ByShare, ///< by Row::OwnPercent
  Bad,
  Good
};

/// One row: as many cells as the table has columns.
struct Row {
  std::vector<Cell> Cells;
  /// Nesting of a tree's row; 0 in flat tables. Text indents the first column
  /// by it, json puts deeper rows into the "children" of the row above.
  int Depth = 0;
  /// A sum over the table; text sets it off with rules.
  bool IsTotal = false;
  /// What is in this row and in no other, in percent of the table's whole;
  /// colours draw the eye to the largest. None: the row has no colour.
  std::optional<double> OwnPercent = std::nullopt;
  Tone Look = Tone::ByShare;
  /// The call paths that the row is about, by node of the run: a click on the
  /// page selects them. Empty if there are none or they aren't known. Without
  /// the initializer, GCC wants it in every row that is written out.
  std::vector<uint32_t> Nodes = {}; // NOLINT(readability-redundant-member-init)
};

/// How text lays a table out.
enum class Layout {
  Plain,     ///< columns as wide as their contents, a rule below the header
  Lightning, ///< PyTorch Lightning's simple profiler: `|  1.0336 \t|`
  Compact,   ///< its three-column form, framed by bars and rules
  CProfile   ///< Python's cProfile: numbers in eight columns, the name last
};

/// A table, computed once, printed by any printer.
struct Table {
  /// json key of the table within its section: "fit", "thread_0".
  std::string Id;
  /// What distinguishes the table's rows from those of the view's other tables:
  /// csv columns and their text. The keys are the same in all tables of a view.
  std::vector<std::pair<std::string, std::string>> Where;
  /// Printed above the table; may be empty.
  std::string Title;
  /// Lines printed between the title and the table.
  std::vector<std::string> Preamble;
  /// Without columns, only the notes are shown.
  std::vector<Column> Columns;
  std::vector<Row> Rows;
  /// What the segments of the table's bars stand for.
  std::vector<BarKey> Keys;
  /// Lines printed below the table.
  std::vector<std::string> Notes;
  /// Figures of the notes, for json ("guessed_edges": 3).
  std::vector<std::pair<std::string, uint64_t>> Counts;
  /// Figures for the section as a whole, as objects among its facts. If several
  /// tables have some, the first one's count.
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Cell>>>>
      Objects;
  /// Rows left out by a limit; printers mention them.
  size_t HiddenRows = 0;
  /// Rows nest by their depth, also where none here has rows below it.
  bool Nests = false;
  Layout TextLayout = Layout::Plain;
};

/// Whether rows of \p T nest.
inline bool isTree(const Table &T) {
  return T.Nests ||
         std::ranges::any_of(T.Rows, [](const Row &R) { return R.Depth > 0; });
}

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_TABLE_H
