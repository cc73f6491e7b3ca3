// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view: what it needs of a run, what may be asked of it, and how it is made.
// Every view is one file in Views/ and one line of loopscope/view_names.h; the
// build, the help, the page, the errors and the names that LOOPSCOPE=view=
// takes come from there. The way from a file to the terminal:
//
//   profile or trace -> readInput -> Run -> sectionOf -> Section
//   Section -> text, markdown, csv or json
//
// A builder is a pure function to tables, or to the reason why there is no such
// view. It is one of four kinds, by what it computes on: a run, the figures
// of a run (Figures.h), both, or several runs side by side. Printers know
// sections and tables only.

#ifndef LOOPSCOPE_REPORT_VIEWS_VIEW_H
#define LOOPSCOPE_REPORT_VIEWS_VIEW_H

#include "Report/Print/Printers.h"
#include "Report/Print/Section.h"
#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// How the throughput view computes samples per second.
enum class SamplesMode {
  OverTime,    ///< samples / time
  MeanOfRatios ///< mean over steps of samples / duration, as fastxtend does
};

/// What each row of a view's tables stands for (--by).
enum class Grouping {
  Own,    ///< the view's own way
  Phase,  ///< kernels, operators: apart by the phase that ran them
  Shape,  ///< operators: apart by shapes and types of their inputs
  Action, ///< ranks: actions, not ranks
  Peer,   ///< communication: pairs of ranks, not operations
  Key     ///< phases, also those of kernels and operators: apart by keys
};

/// What the user asked for, beyond the view's name.
struct ViewOptions {
  bool Compact = false;
  bool Stats = false;
  SamplesMode Samples = SamplesMode::OverTime;
  /// The peak FLOP/s of a device, overriding the run's; 0 for none.
  uint64_t PeakFlops = 0;
  /// Column key to sort by; empty: the view's own order.
  std::string Sort;
  /// Rows to show; none: the view's own limit. 0 means all.
  std::optional<size_t> Rows;
  /// Column keys to show, in this order; empty: the view's own.
  std::vector<std::string> Columns;
  /// An ECMAScript regular expression that must match somewhere in a row's
  /// name.
  std::string Filter;
  /// Only this stage, by its table's id: "fit"; empty: all.
  std::string Stage;
  /// Only what ran on this thread, by name ("main") or number; empty: all.
  std::string Thread;
  /// Only the inputs of this rank.
  std::optional<int> Rank;
  Grouping By = Grouping::Own;
  /// Traces: names that differ by a number alone are keys of one phase.
  bool NumbersAreKeys = true;
  /// Advanced view: seconds with three decimals, as cProfile prints them.
  bool Seconds = false;
  /// Bytes that a compressed trace may inflate to.
  uint64_t MaxInflated = uint64_t{4} << 30;
  /// Whether to combine several inputs into one.
  bool Merged = false;
  /// The format of the section, for views that exist in one only.
  Format Output = Format::Text;
  /// csv: leave text unchanged, including formulas.
  bool Bare = false;
  /// html: whether the page has lines of source.
  bool WithSource = true;
};

/// Whether kernels or operators are apart by the phase that ran them, of which
/// each key may be a phase.
inline bool isByPhase(const ViewOptions &Options) {
  return Options.By == Grouping::Phase || Options.By == Grouping::Key;
}

/// How options apply to a view's tables.
struct TableShape {
  size_t NameColumn = 0;      ///< that --filter looks at
  bool HasLabels = false;     ///< rows share the first column's texts
  bool Sorts = true;          ///< has no order of its own
  bool Cuts = true;           ///< --rows counts rows
  bool FirstOnly = false;     ///< the first table alone is sorted and cut
  bool OrdersItself = false;  ///< the builder has sorted
  bool CutsItself = false;    ///< what --rows counts is chosen in building
  bool MixedColumns = false;  ///< tables have different columns
  size_t RowsUnlessAsked = 0; ///< in text and markdown; 0: all
  bool DataOnly = false; ///< only csv and json have rows that can be shaped
};

/// Rows of long lists in text and markdown, unless asked otherwise.
inline constexpr size_t ListUnlessAsked = 20;

/// What a view of many ranks needs of the plain phases in their steps
/// (FoldedRanks.h).
enum class PhasesOfRanks {
  Apart, ///< those of each rank
  Sums,  ///< their sums over all ranks
  None
};

struct Figures;
struct FigureParts;

/// One view.
struct View {
  const char *Name; ///< on the command line, and in json
  const char *Help; ///< one line: what it shows
  /// One of the four builders.
  Result<std::vector<Table>> (*OfRun)(const Run &,
                                      const ViewOptions &) = nullptr;
  Result<std::vector<Table>> (*OfFigures)(const Figures &,
                                          const ViewOptions &) = nullptr;
  /// The figures are those of the run, which may lack its events.
  Result<std::vector<Table>> (*OfBoth)(const Run &, const Figures &,
                                       const ViewOptions &) = nullptr;
  Result<std::vector<Table>> (*OfRuns)(const std::vector<Run> &,
                                       const ViewOptions &) = nullptr;
  TableShape Shape{};
  /// Has a table per stage; in other views, --stage selects what ran in it.
  bool HasStageTables = false;
  /// Computes on spans (Run::Timeline), for traces too; merged side by side.
  bool OnTimeline = false;
  /// How much of a profile's timeline to read. Null: none.
  WithTimeline (*Reads)(const ViewOptions &) = nullptr;
  /// Which parts of the figures OfFigures or OfBoth needs.
  FigureParts (*Parts)(const ViewOptions &) = nullptr;
  /// The view as a document of the TensorBoard plugin. Null if there is none.
  std::string (*Document)(const Figures &) = nullptr;
  /// The other ways to group rows; Own if there is none.
  std::array<Grouping, 3> Groups{};
  /// Groups by key itself; for others, each key is a phase.
  bool HasFamilies = false;
  /// Shows the verdict at the top; below other views it is in the footer.
  bool ShowsVerdict = false;
  /// Is on the HTML page as tables.
  bool OnPage = true;
  /// Computes on samples, which a run has without spans, too.
  bool OnSamples = false;
  /// Computes on Run::Histories, for traces too.
  bool OnHistory = false;
  /// Computes on Run::Exchanged, for traces.
  bool OnTraffic = false;
  /// What it needs of the plain phases in steps, if it is of several ranks.
  PhasesOfRanks Phases = PhasesOfRanks::Apart;

  bool hasFigures() const { return OfFigures || OfBoth; }
};

/// The views that commands name; ViewTable.cpp declares the others.
extern const View SummaryView;
extern const View SimpleView;
extern const View TreeView;
extern const View RanksView;
extern const View LoopsView;

/// The view without a choice: the summary; but simple for programs (csv and
/// json), and where \p Options or \p Style shape a table of phases.
const View &defaultView(const ViewOptions &Options, TableStyle Style);

/// The view that a run has instead of \p Asked, null if none: the loops view in
/// place of the summary or the simple one for a run that has samples and
/// nothing else.
const View *insteadOf(const View &Asked, const Run &Of);

/// Whether the rows of WHICH may be grouped by BY.
bool canGroup(const View &Which, Grouping By);

/// Every view, in the order of the help.
const std::vector<const View *> &allViews();

/// The words for --by; a grouping may have several.
const std::vector<std::pair<std::string, Grouping>> &groupNames();

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_VIEW_H
