// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the parts of the page: call paths, steps, the first screen, tables.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLPARTS_H
#define LOOPSCOPE_REPORT_HTML_HTMLPARTS_H

#include "Analysis/Steps/StepBars.h"
#include "Analysis/Tree/PathTree.h"
#include "Report/Html/HtmlPage.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace loopscope {

/// What a browser can lay out at once without becoming slow.
constexpr size_t MaxHtmlSpans = 100'000;    ///< single ones, of the timeline
constexpr size_t MaxHtmlCells = 3'000'000;  ///< of the timeline, by column
constexpr size_t MaxHtmlColumns = 64;       ///< of one of its tracks
constexpr size_t MaxHtmlSteps = 200;        ///< bars of the steps
constexpr size_t MaxHtmlRows = 5000;        ///< of one table
constexpr size_t MaxHtmlPaths = 5000;       ///< of one call-path tree
constexpr size_t MaxHtmlKeys = 5000;        ///< of all call paths
constexpr size_t MaxHtmlKeyCells = 64;      ///< of a strip
constexpr size_t MaxHtmlKeyTimes = 100'000; ///< cells of time, of all keys
constexpr size_t MaxHtmlRowNodes = 100;     ///< that a row of a table leads to
constexpr size_t MaxHtmlSourceLines = 3000; ///< of a run
constexpr uint32_t HtmlSourceContext = 5;   ///< lines around one with figures
constexpr size_t MaxHtmlCodeWidth = 400;    ///< of a line
constexpr size_t MaxHtmlCode = 200'000;     ///< bytes of source, of a page

/// The call paths of a run, and their places on the page.
struct HtmlPaths {
  /// Of the main threads; of the others if only they run loops.
  PathTree Main;
  std::vector<uint32_t> PathOfMain; ///< by node of the run: in Main, or None
  std::vector<uint32_t> ShownMain;  ///< by path of Main: in HtmlRun::Nodes
  std::vector<uint32_t> Shown;      ///< by node of the run: in HtmlRun::Nodes

  /// The page's node for a path of Main; None for None.
  uint32_t ofMain(uint32_t Path) const {
    return Path == None ? None : ShownMain[Path];
  }
};

/// Adds the call-path trees of \p R's main thread and of all others, with the
/// longest paths of each. A path that is left out counts towards the one above
/// it.
HtmlPaths addCallPaths(const Run &R, HtmlRun &Page);

/// Adds the keys of call paths, of the longest ones; returns them.
std::vector<KeyFamily> addFamilies(const Run &R, const HtmlPaths &Paths,
                                   HtmlRun &Page);

/// Adds when the spans of each key ran, to what addFamilies returned. The page
/// has its timeline.
void addKeyTimes(const Run &R, const std::vector<KeyFamily> &Families,
                 HtmlRun &Page);

/// Adds the title, figures, verdict, advice, and where a step's time goes; of a
/// run that has samples only, the title and how long it took.
void addAnswer(const Run &Of, const Figures &Found, const HtmlPaths &Paths,
               HtmlRun &Page);

/// Adds verdict, advice and tables of a run that has samples only. A guess is
/// called one: no figure of it is a step's.
void addSampled(const Run &Of, const HtmlPaths &Paths, HtmlRun &Page);

/// Adds the run over time, if it has more than one bin.
void addCurves(const Run &Of, const HtmlPaths &Paths, HtmlRun &Page);

/// Adds the steps: the last ones as bars, and the slowest.
void addSteps(const StepBars &Bars, const HtmlPaths &Paths, HtmlRun &Page);

/// Adds the call paths with FLOP and bytes below the GPU's roofline.
void addRoofline(const Run &R, const HtmlPaths &Paths, HtmlRun &Page);

/// A line of Excerpts: the excerpt, and the line in it.
using ListedPlace = std::pair<uint32_t, uint32_t>;

/// Every line of \p Excerpts once: those with figures, the hottest first, each
/// followed by those around it, then any others.
std::vector<ListedPlace>
linesByHeat(const std::vector<ListedExcerpt> &Excerpts);

/// Adds the functions of samples below their call paths. The page has its
/// sources.
void addFrames(const Run &R, const HtmlPaths &Paths, HtmlRun &Page);

/// Adds the lines that have figures, the hottest first, and if \p WithCode the
/// code there, of files that are those that were compiled.
void addSources(const Run &R, const HtmlPaths &Paths, bool WithCode,
                HtmlRun &Page);

/// Adds \p Tables as view \p Which, each cut to its most important rows, whose
/// nodes become the page's, longest first. Adds nothing if there are none.
void addTables(const View &Which, std::vector<Table> Tables,
               const HtmlPaths &Paths, HtmlRun &Page);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLPARTS_H
