// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a comparison.

#include "Report/Commands/DiffPage.h"

#include "Report/Commands/DiffSteps.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlParts.h"
#include "Run/Combine/Merge.h"
#include "Run/Model/CallTree.h"

#include <fmt/format.h>

#include <utility>

using namespace loopscope;

namespace {
// What changed, of the sides' runs as they are.
HtmlComparison comparisonOf(const std::vector<Run> &Before,
                            const std::vector<Run> &After,
                            const DiffOfPage &Diff) {
  HtmlComparison Result;
  if (!Diff.Facts.Columns.empty())
    Result.Facts.push_back(Diff.Facts);
  loopscope::Result<ComparedSteps> Steps = comparedSteps(Before, After);
  if (!Steps) {
    Result.Missing.push_back(
        fmt::format("The steps: {}.", Steps.error().Message));
    return Result;
  }
  Result.Step = stepChange(*Steps, Diff.Stages, Diff.How.By);
  Result.Change = changeSentence(*Result.Step);
  if (!Result.Step->AreSteps)
    Result.Missing.emplace_back("The steps: neither side has any; a mark on "
                                "the loop over batches records them.");
  else if (loopscope::Result<StepSpread> Spread = stepSpread(*Steps))
    Result.Spread = std::move(*Spread);
  else
    Result.Missing.push_back(fmt::format("The durations of single steps: {}.",
                                         Spread.error().Message));
  Result.Paths = pathChanges(*Steps, Diff.Stages, Diff.How);
  return Result;
}

// The means along the run, from the histories of both sides.
void addStepCurves(const HtmlRun &Before, const HtmlRun &After,
                   HtmlComparison &To) {
  if (!To.Step || !To.Step->AreSteps)
    return;
  auto Miss = [&](const std::string &Why) {
    To.Missing.push_back(fmt::format("The mean step along the run: {}.", Why));
  };
  if (!Before.Curves || !After.Curves)
    return Miss(fmt::format("the side {} has no history of several bins, like "
                            "runs of less than 10 ms and parts of a run",
                            Before.Curves ? "after" : "before"));
  loopscope::Result<StepCurves> Curves =
      stepCurves(*Before.Curves, *After.Curves, To.Step->IsTraining);
  if (!Curves)
    return Miss(Curves.error().Message);
  To.Curves = std::move(*Curves);
}

// The comparison has the mean steps.
void dropMeanStep(const StepChange::Side &Of, HtmlRun &From) {
  std::erase_if(From.Facts, [&](const HtmlFact &Each) {
    return Each.MeanStepOf == Of.Place;
  });
}

HtmlRun sideOf(std::vector<Run> Runs, const char *Side, const std::string &Name,
               const ViewOptions &Options) {
  Run All = mergedSide(std::move(Runs));
  HtmlRun Page = buildHtmlRun(All, figuresOf(All, {}), Options);
  Page.Title = fmt::format("{}: {}", Side, Name);
  // A comparison reads no single spans, so it doesn't suggest recording them.
  Page.Missing.clear();
  // Nor a trace's events, of which these are.
  if (All.By->KeepsEvents) {
    Page.Command.clear();
    Page.Facts.clear();
    Page.Steps = {};
    std::erase_if(Page.Views, [](const HtmlView &Each) {
      return Each.first == "overview";
    });
  }
  return Page;
}
} // namespace

Run loopscope::mergedSide(std::vector<Run> Runs) {
  Run All = Runs.size() == 1 ? std::move(Runs.front())
                             : mergeProfiles(std::move(Runs));
  addTree(All, EventNodes::Yes);
  return All;
}

Result<std::string>
loopscope::diffPage(std::vector<Run> Before, std::vector<Run> After,
                    const std::pair<std::string, std::string> &Names,
                    DiffOfPage Diff, const ViewOptions &Options) {
  HtmlReport Page;
  Page.Comparison = comparisonOf(Before, After, Diff);
  Page.Runs.push_back(
      sideOf(std::move(Before), "before", Names.first, Options));
  Page.Runs.push_back(sideOf(std::move(After), "after", Names.second, Options));
  if (const std::optional<StepChange> &Step = Page.Comparison->Step;
      Step && Step->AreSteps) {
    dropMeanStep(Step->Before, Page.Runs[0]);
    dropMeanStep(Step->After, Page.Runs[1]);
  }
  addStepCurves(Page.Runs[0], Page.Runs[1], *Page.Comparison);
  std::vector<Table> &Tables = Diff.Tables.Tables;
  if (!Tables.empty())
    Tables.back().Notes = std::move(Diff.Tables.Footer);
  Page.Shared.emplace_back("changes", std::move(Tables));
  HtmlComparison &Found = *Page.Comparison;
  if (!Found.Paths.empty()) {
    Found.HiddenPaths = keepLongestPaths(Found.Paths, MaxHtmlPaths);
    Table Paths = pathTable(Found.Paths);
    Paths.HiddenRows = Found.HiddenPaths;
    Page.Shared.emplace_back("paths", std::vector{std::move(Paths)});
  }
  return printHtml(Page);
}
