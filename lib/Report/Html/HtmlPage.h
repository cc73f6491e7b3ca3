// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML report: one self-contained page with a run's answer, its call paths,
// the tables of every view and charts of the same numbers.
//
//   Run, Figures -> HtmlRun (plain values) -> JSON in a page template
//
// All arithmetic is done before: an HtmlRun holds finished tables and times.
// Names are hostile text; they travel as JSON and are put on the page as text
// only (page/dom.js). What the page lets people choose is a call path, known by
// its index in HtmlRun::Nodes everywhere.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLPAGE_H
#define LOOPSCOPE_REPORT_HTML_HTMLPAGE_H

#include "Analysis/Compare/PathChanges.h"
#include "Analysis/Compare/StepChange.h"
#include "Analysis/Compare/StepSpread.h"
#include "Analysis/Steps/HistoryCurves.h"
#include "Analysis/Steps/KeyTimes.h"
#include "Analysis/Steps/SpanCells.h"
#include "Analysis/Tree/KeyFamilies.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/SourceListing.h"
#include "Report/Views/View.h"
#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// A figure of the first screen.
struct HtmlFact {
  std::string Label;
  std::string Value;
  std::string Note; ///< smaller, beside it; may be empty
  /// The place of the loop whose mean step it is.
  std::optional<std::string> MeanStepOf = std::nullopt;
};

/// Where a click leads: to a call path, or to the rows of a view.
struct HtmlLink {
  uint32_t Node = None; ///< in HtmlRun::Nodes
  std::string View;     ///< empty: none
  std::string Filter;   ///< of the view's rows
  uint32_t Key = None;  ///< of the family of Node
};

/// A finding, with its evidence.
struct HtmlFinding {
  std::string Text;
  int64_t SavesNs = -1; ///< at most; negative: not known
  std::string Rows;     ///< that it rests on, in words
  HtmlLink Evidence;
};

/// A part of a whole.
struct HtmlPart {
  std::string Name;
  uint32_t Node = None;
  int64_t Ns = 0;
};

/// Where the time of a step goes or, without steps, the time of the run.
struct HtmlSplit {
  std::string Title; ///< empty: there is none
  uint32_t Node = None;
  std::vector<HtmlPart> Parts;
};

/// A call path.
struct HtmlNode {
  std::string Name;
  uint32_t Parent = None; ///< always less than the node's own index
  loopscope_kind Kind = LOOPSCOPE_KIND_ROOT;
  std::string Path;  ///< its file as recorded; empty: not known
  uint32_t Line = 0; ///< in it
  int64_t Ns = 0;
  int64_t SelfNs = 0;
  int64_t GpuNs = 0;
  uint64_t Calls = 0;
  std::vector<Cell> Cells;                             ///< of HtmlRun::Columns
  std::vector<std::pair<int64_t, uint64_t>> Histogram; ///< (ns, spans)
};

/// A column of the call paths' table.
struct HtmlColumn {
  Column Of;
  std::string Group; ///< shown only when asked for; empty: always
};

/// A key of a phase.
struct HtmlKey {
  std::string Text;
  uint64_t Calls = 0;
  std::optional<int64_t> P50Ns, P95Ns;                 ///< of its spans
  std::vector<std::pair<int64_t, uint64_t>> Histogram; ///< (ns, spans)
};

/// The keys of a call path, in their order.
struct HtmlFamily {
  /// A figure that all keys have, or none for a key whose is not known.
  struct Measure {
    std::string Key;
    std::string Header;
    std::vector<std::optional<int64_t>> Ns; ///< by key
    std::optional<int64_t> MedianNs;        ///< the lower one, of the keys
  };
  uint32_t Node = None;
  std::string Label; ///< what a key is: "layer"
  std::vector<HtmlKey> Keys;
  std::vector<Measure> Measures; ///< the first one is the strip's
  std::vector<KeyCell> Strip;
  std::string Note;    ///< what the verdict says of the phase's keys, if any
  uint32_t Odd = None; ///< the key that it names
  KeyTimes Times;      ///< by cell of HtmlRun::KeyGrid
};

/// A function of sampled stacks, below a call path.
struct HtmlFrame {
  std::string Name;
  uint32_t Node = None;   ///< the call path
  uint32_t Parent = None; ///< in HtmlRun::Frames, less than its own index
  std::string File;       ///< without directories; empty: not known
  uint32_t Line = 0;
  uint32_t Source = None; ///< in HtmlRun::SourceFiles
  int64_t Ns = 0;         ///< of processor time, with all below
};

/// Steps as stacked bars.
struct HtmlSteps {
  struct Step {
    std::string Name;
    int64_t StartNs = -1; ///< on the timeline; negative: not there
    int64_t Ns = 0;
  };
  struct Part {
    std::string Name;
    uint32_t Node = None;
    std::vector<int64_t> Ns; ///< by step
    double MeanNs = 0;
  };
  struct Slow {
    Step Which;
    std::string Part; ///< that took most above its mean
    uint32_t Node = None;
    int64_t AboveNs = 0;
  };
  uint32_t Node = None;
  uint64_t Hidden = 0; ///< steps before these, in MeanNs, Parts and Slowest
  uint64_t Unread = 0; ///< steps before those, which are in none of them
  double MeanNs = 0;
  std::vector<Step> Steps;
  std::vector<Part> Parts;
  std::vector<Slow> Slowest;
};

/// A span of the timeline.
struct HtmlSpan {
  TrackSpan At; ///< its path is one of HtmlTimeline::Track::Paths
  /// For device work whose launch is known: when it was launched, and on which
  /// of HtmlTimeline::Tracks.
  uint32_t LaunchTrack = None;
  int64_t LaunchNs = 0;
};

/// The timeline of a run: host threads above GPU streams. Each track has single
/// spans in some windows of time, and for all of its time what it did by cell.
struct HtmlTimeline {
  /// Spans with one name at one place of a track.
  struct Path {
    uint32_t Name = 0;      ///< index into Names
    uint32_t Parent = None; ///< below its own index
    uint32_t Depth = 0;     ///< row within its track
    uint32_t Node = None;   ///< in HtmlRun::Nodes
    int64_t Ns = 0;         ///< of all its spans
    uint64_t Spans = 0;
  };
  struct Window {
    int64_t FromNs = 0;
    int64_t ToNs = 0;
    std::vector<HtmlSpan> Spans; ///< all that run in it, by start
  };
  struct Track {
    std::string Name;
    std::vector<Path> Paths;
    uint64_t Spans = 0;
    std::vector<Window> Windows;
    /// One byte a cell, by column: empty if the windows have all spans.
    std::vector<std::vector<uint8_t>> Cells;
    std::vector<uint32_t> ColumnPaths; ///< None: all paths without a column
    size_t PathsWithout = 0;           ///< a column; 0 if there are no cells
  };
  std::string Note; ///< what part of the run it shows
  std::string More; ///< how to see the spans that it lacks; empty: it has all
  int64_t FromNs = 0;
  int64_t ToNs = 0; ///< above FromNs if there are tracks
  /// What was taken off the recorded times.
  int64_t BaseNs = 0;
  size_t CellCount = 0;
  std::vector<std::string> Names;
  std::vector<Track> Tracks;
};

/// Phases below what a GPU allows; rates are of one GPU, a second.
/// What the program told, or held of memory, by bin of HtmlRun::Curves; not a
/// number where that isn't known.
struct HtmlCurve {
  std::string Name;
  std::string Unit; ///< may be empty
  std::vector<double> Values;
};

struct HtmlRoofline {
  struct Point {
    std::string Name;
    uint32_t Node = None;
    double FlopPerByte = 0;
    double Flop = 0;
    double Share = 0; ///< of the roof
  };
  double FlopPeak = 0;
  double BytesPeak = 0;
  std::vector<Point> Points; ///< none: there is no such figure
};

/// One input's part of the page, which leaves out empty parts.
struct HtmlRun {
  std::string Title;
  std::string Command;
  std::string Host;
  std::string Process; ///< "process 4711"
  int64_t Rank = -1;
  int64_t StartedNs = 0; ///< since 1970; 0: not known
  std::vector<HtmlFact> Facts;
  std::string Said; ///< facts that the run says about itself, as a sentence
  HtmlFinding Verdict;
  std::vector<HtmlFinding> Advice;
  HtmlSplit Account; ///< of the whole run
  HtmlSplit Split;
  std::optional<HistoryCurves> Curves;
  std::vector<uint32_t> CurveNodes; ///< by part of Curves
  bool HasTimesOfRun = false; ///< Timeline and Steps count from the same start
  std::vector<HtmlCurve> MoreCurves;
  HtmlSteps Steps;
  HtmlRoofline Roofline;
  std::vector<HtmlColumn> Columns;
  std::vector<HtmlNode> Nodes;      ///< parents before children
  std::vector<HtmlFamily> Families; ///< the longest first
  CellGrid KeyGrid;                 ///< on the timeline
  std::string KeyTimesMissing; ///< what records when keys ran; empty: it's here
  std::vector<std::string> TreeNotes;
  std::vector<HtmlFrame> Frames;
  std::vector<ListedFile> SourceFiles;
  /// The hottest first; nodes of lines are those of Nodes.
  std::vector<ListedExcerpt> Sources;
  std::map<std::string, uint32_t> SourceOf; ///< SourceFiles by HtmlNode::Path
  bool SourceIsLeftOut = false;             ///< no line has its code
  std::vector<std::string> SourceNotes;
  std::vector<std::string> Waits; ///< names of what only waits
  std::vector<std::pair<std::string, std::vector<Table>>> Views; ///< by name
  HtmlTimeline Timeline;
  std::vector<std::string> Missing; ///< what would fill parts that are empty
  std::vector<std::string> Footer;
  /// What is wrong with the input, although it could be read in part; empty if
  /// nothing is.
  std::string Problem;

  /// The index in SourceFiles of what is called \p Path; None if it isn't
  /// there.
  uint32_t sourceOf(const std::string &Path) const {
    auto Found = SourceOf.find(Path);
    return Found == SourceOf.end() ? None : Found->second;
  }
};

class HtmlSpans;

/// What the page shows of a run, which has its tree, and of its figures. For
/// merged traces, \p Of is their merged tree: they have no common clock and so
/// no timeline. Tracks of which it has only a part of the single spans go to \p
/// Rest, if that isn't null.
HtmlRun buildHtmlRun(const Run &Of, const Figures &Found, ViewOptions Options,
                     HtmlSpans *Rest = nullptr);

/// Tables of a view.
using HtmlView = std::pair<std::string, std::vector<Table>>;

/// What changed between two sides.
struct HtmlComparison {
  std::vector<Table> Facts; ///< that differ
  std::optional<StepChange> Step;
  std::string Change; ///< of the mean step, in a sentence
  std::optional<StepSpread> Spread;
  std::optional<StepCurves> Curves;
  std::vector<PathChange> Paths;    ///< of the step; none without it
  size_t HiddenPaths = 0;           ///< others, which have the least time
  std::vector<std::string> Missing; ///< what isn't drawn, and why
};

/// A page.
struct HtmlReport {
  std::vector<HtmlRun> Runs;    ///< at least one
  std::vector<HtmlView> Shared; ///< of all runs together; tabs of each
  std::optional<HtmlComparison> Comparison; ///< of two runs, before and after
};

/// What a page knows of the server that it comes from (page/served.js).
struct HtmlServer {
  uint64_t Number = 0;        ///< of the page
  std::vector<uint32_t> Runs; ///< all of whose spans the server has
};

/// The page, or why this build can't make it (no chart library when it was
/// configured). \p From: null for a page that is a file, which never asks for
/// anything.
Result<std::string> printHtml(const HtmlReport &Of,
                              const HtmlServer *From = nullptr);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLPAGE_H
