// What a report can show and what may be asked of it, and the section that
// every view produces. The way from a file to the terminal:
//
//   profile file -> readProfile -> Profile     -> buildSection -> Section
//   trace file   -> readTrace   -> KinetoTrace -> buildSection -> Section
//   Section -> text, markdown, csv or json
//
// readInput and sectionOf (Input.h) do all but the last step.
//
// A builder is an overload of buildSection: a pure function from one input's
// model and the options to a Section, or the reason why that view cannot be
// had from that input. Printers know sections and tables only.
#ifndef LOOPSCOPE_REPORT_VIEW_H
#define LOOPSCOPE_REPORT_VIEW_H

#include "Report/Table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// The views, each with its own page in docs/reports.md.
enum class View {
  Simple,
  Throughput,
  Tree,
  Advanced,
  Operators,
  Kernels,
  Overview,
  Devices,
  Timeline,
  Ranks
};

/// How a report is written. TensorBoardJson is made by the builders of Kineto
/// views alone: they fill Section::Raw.
enum class Format { Text, Markdown, Csv, Json, Html, TensorBoardJson };

/// How the throughput view computes samples per second.
enum class SamplesMode {
  OverTime,    ///< samples / time
  MeanOfRatios ///< mean over steps of samples / duration, as fastxtend does
};

/// What the user asked for, beyond the view's name.
struct ViewOptions {
  bool Compact = false;
  bool Stats = false;
  SamplesMode Samples = SamplesMode::OverTime;
  /// Column key to sort by; empty: the view's own order.
  std::string Sort;
  /// Rows to show; none: the view's own limit. 0 means all.
  std::optional<size_t> Rows;
  /// Column keys to show, in this order; empty: the view's own.
  std::vector<std::string> Columns;
  /// ECMAScript regular expression that a row's name has to contain a match of.
  std::string Filter;
  /// Only this stage, by its table's id: "fit"; empty: all.
  std::string Stage;
  /// Only what ran on this thread, by name ("main") or number; empty: all.
  std::string Thread;
  /// Only the inputs of this rank.
  std::optional<int> Rank;
  /// Kernels view: a row per kernel and the phase that launched it.
  bool ByPhase = false;
  /// Advanced view: seconds with three decimals, as cProfile prints them.
  bool Seconds = false;
  /// Bytes that a compressed trace may inflate to.
  uint64_t MaxInflated = uint64_t{4} << 30;
  /// The format the section is made for, for views that can only be had in one.
  Format Output = Format::Text;
};

/// One input's part of a report.
struct Section {
  /// The input's file name, and what tells it from the others ("rank 3").
  std::string File;
  std::string Label;
  /// json key of the view: "simple".
  std::string ViewName;
  /// The run in key/value form, for json ("program", "wall_s", ...).
  std::vector<std::pair<std::string, Cell>> Facts;
  std::vector<Table> Tables;
  /// The profiler's own cost and the data-integrity footer, below all tables.
  std::vector<std::string> Footer;
  /// The same as counts, for json ("spans_lost": 0).
  std::vector<std::pair<std::string, Cell>> Integrity;
  /// What is wrong with the input although it could be read in part; printed as
  /// an error, and the exit code is 1. Empty: nothing.
  std::string Problem;
  /// A finished document that is printed as it is, in place of the tables
  /// (Format::TensorBoardJson).
  std::string Raw;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEW_H
