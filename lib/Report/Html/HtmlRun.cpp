// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the HTML page shows of a run. Every analysis is computed once and serves
// all parts.

#include "Report/Html/HtmlPage.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Html/HtmlParts.h"
#include "Report/Html/HtmlTimeline.h"
#include "Report/Views/FactLines.h"
#include "Report/Views/Footer.h"

#include <algorithm>
#include <string_view>

using namespace loopscope;

namespace {
// The tables of a view, without what is at the top of the page. The page has
// its own tree.
void addView(const Run &Of, const Figures &Found, const View &Which,
             const ViewOptions &Options, const HtmlPaths &Paths,
             HtmlRun &Page) {
  if (!Which.OnPage || &Which == &TreeView ||
      (&Which == &SimpleView && hasSamplesOnly(Of)) ||
      (!Which.OfRun && !Of.By->KeepsEvents && !Of.Gpu.hasData()))
    return;
  Result<std::vector<Table>> Tables =
      Which.OfRun ? Which.OfRun(Of, Options) : Which.OfFigures(Found, Options);
  if (!Tables || Tables->empty())
    return;
  if (Which.ShowsVerdict) {
    Tables->front().Preamble.clear();
    std::erase_if(*Tables,
                  [](const Table &T) { return T.Id == "recommendations"; });
  }
  if (std::all_of(Tables->begin(), Tables->end(),
                  [](const Table &T) { return T.Rows.empty(); }))
    return;
  addTables(Which, std::move(*Tables), Paths, Page);
}

// Says what to turn on to fill the empty parts.
void addMissing(const Run &Of, HtmlRun &Page) {
  if (!Of.By->TakesWords)
    return;
  if (hasSamplesOnly(Of)) {
    Page.Missing.emplace_back(
        "Phases, steps, their exact times and samples per second need marks: "
        "`loopscope try -- COMMAND` sets them by samples.");
    return;
  }
  if (Page.Timeline.Tracks.empty())
    Page.Missing.emplace_back(
        "LOOPSCOPE=trace adds single steps and a timeline.");
  if (Of.TimelineIsCut)
    Page.Missing.emplace_back(
        "Of single steps, only the last ones are here, because the page takes "
        "them from the newest part of a long timeline; --view steps and export "
        "read all of it.");
  if (Of.Stacks.Samples.empty())
    Page.Missing.emplace_back(
        "LOOPSCOPE=stacks adds the functions that use the CPU.");
  if (Of.Whatif.empty())
    Page.Missing.emplace_back(
        "LOOPSCOPE=whatif adds the phases that a step waits for.");
}
} // namespace

HtmlRun loopscope::buildHtmlRun(const Run &Of, const Figures &Found,
                                ViewOptions Options, HtmlSpans *Rest) {
  HtmlRun Page;
  HtmlPaths Paths = addCallPaths(Of, Page);
  std::vector<KeyFamily> Families = addFamilies(Of, Paths, Page);
  addAnswer(Of, Found, Paths, Page);
  StepBars Bars = Of.By->KeepsEvents ? stepBars(Found.Steps)
                                     : stepBars(Of, Paths.PathOfMain);
  Page.Timeline = htmlTimeline(Of, Paths, Bars, Rest);
  addKeyTimes(Of, Families, Page);
  addCurves(Of, Paths, Page);
  Page.HasTimesOfRun = !Of.By->KeepsEvents;
  addSteps(Bars, Paths, Page);
  addRoofline(Of, Paths, Page);
  addSources(Of, Paths, Options.WithSource, Page);
  addFrames(Of, Paths, Page);
  Options.Stats = true;
  if (hasSamplesOnly(Of))
    addSampled(Of, Paths, Page);
  for (const View *Each : allViews())
    addView(Of, Found, *Each, Options, Paths, Page);
  addMissing(Of, Page);
  Section About;
  describeRun(Of, Found.About, About);
  Page.Said = factsLine(Of);
  Page.Footer = std::move(About.Footer);
  Page.Problem = std::move(About.Problem);
  return Page;
}
