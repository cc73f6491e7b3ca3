// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML report: one self-contained page with the tables of every view and
// charts of the same numbers.
//
//   Run, Figures -> HtmlRun (plain values) -> JSON in a page template
//
// All arithmetic is done before: an HtmlRun holds finished tables and seconds.
// Names are hostile text; they travel as JSON and are put on the page as text
// only (html/tables.js).

#ifndef LOOPSCOPE_REPORT_HTML_HTMLPAGE_H
#define LOOPSCOPE_REPORT_HTML_HTMLPAGE_H

#include "Analysis/Figures.h"
#include "Report/Views/View.h"
#include "Run/Run.h"
#include "Support/Result.h"

#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// A call path of the icicle, with its durations' distribution.
struct HtmlNode {
  std::string Name;
  double Seconds = 0; ///< inclusive
  double Self = 0;    ///< seconds
  uint64_t Calls = 0;
  std::vector<std::pair<double, uint64_t>> Histogram; ///< (seconds, spans)
  std::vector<HtmlNode> Children;
};

/// Stacked bars: the time of each step by part.
struct HtmlStack {
  std::vector<std::string> Labels;
  /// (part, seconds per label); all as long as Labels.
  std::vector<std::pair<std::string, std::vector<double>>> Parts;
};

/// A span of the timeline: seconds since the timeline's start.
struct HtmlSpan {
  double Start = 0;
  double Duration = 0;
  uint32_t Name = 0;  ///< index into HtmlTimeline::Names
  uint32_t Depth = 0; ///< row within its track
};

/// The last steps of a run: host threads above GPU streams.
struct HtmlTimeline {
  struct Track {
    std::string Name;
    std::vector<HtmlSpan> Spans;
  };
  std::string Note; ///< what part of the run it shows
  std::vector<std::string> Names;
  std::vector<Track> Tracks;
};

/// One input's part of the page. Empty parts are left out of it.
struct HtmlRun {
  std::string Title;
  std::string Subtitle;
  std::string Verdict;
  std::vector<std::pair<std::string, std::string>> Cards; ///< (label, value)
  std::vector<std::string> Recommendations;
  HtmlStack Stack;
  std::vector<HtmlNode> Tree;     ///< one root per thread or group of threads
  std::vector<std::string> Waits; ///< names of what only waits
  std::vector<std::pair<std::string, std::vector<Table>>> Views; ///< by name
  std::vector<std::pair<std::string, double>> Pie; ///< (kernel, seconds)
  HtmlTimeline Timeline;
  std::vector<std::string> Footer;
  /// What is wrong with the input although it could be read in part; empty:
  /// nothing.
  std::string Problem;
};

/// What the page shows of a run, which has its tree, and of its figures. Of
/// traces that were merged, \p Of is their merged tree: they have no common
/// clock and so no timeline.
HtmlRun buildHtmlRun(const Run &Of, const Figures &Found, ViewOptions Options);

/// The page, or why it can't be made in this build (no chart library when it
/// was configured). RUNS must not be empty.
Result<std::string> printHtml(const std::vector<HtmlRun> &Runs);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLPAGE_H
