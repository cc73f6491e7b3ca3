// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope report --format html`: every view of every input on one page.

#include "Report/Commands/ReportCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/OpenPage.h"
#include "Report/Commands/Output.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Views/BuildSection.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/TraceCycles.h"
#include "Run/Read/MergedFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

using namespace loopscope;

namespace {
// With this many ranks or more, the page shows their sum instead of each.
constexpr size_t MaxHtmlRuns = 64;
// The most spans to read, over all inputs: each takes a few hundred bytes.
constexpr size_t MaxSpansRead = 3'000'000;

// Reads the inputs one after another; only what the page shows of each stays in
// memory.
class Collector {
public:
  explicit Collector(const ReportRequest &Request) : Request(Request) {}

  /// Takes INPUTS together.
  void takeAll(const std::vector<std::string> &Inputs) {
    // Unless they are merged, only one is in memory at a time.
    size_t Spans = Request.Options.Merged && !Inputs.empty()
                       ? MaxSpansRead / Inputs.size()
                       : MaxSpansRead;
    for (const std::string &Each : Inputs)
      take(Each, WithTimeline::newest(Spans));
  }

  bool Failed = false;
  HtmlReport Made;
  std::vector<std::string> Files; ///< those that were read

  void finish() {
    if (std::optional<Run> Last = Cycles.finish())
      takeTrace(std::move(*Last));
    addRanks();
    if (!Profiles.empty())
      addProfiles();
    if (!Traces.empty()) {
      Run All = mergeProfiles(std::move(Traces));
      std::vector<std::string> OfKeys = groupByKey(All, Request.Options);
      add(All, mergeFigures(std::move(TraceFigures)), std::move(OfKeys));
    }
  }

  void fail(const std::string &Why) {
    printError(Why);
    Failed = true;
  }

private:
  void take(const std::string &Path, WithTimeline Events) {
    Files.push_back(Path);
    Result<Run> From = readInput(Path, Request.Options, Events);
    if (!From)
      return fail(From.error().Message);
    if (!isWanted(*From, Request.Options))
      return;
    if (std::optional<Error> Why = refusal(*From, SimpleView, Request.Options))
      return fail(Why->Message);
    if (Request.Options.Merged && From->By->KeepsEvents) {
      if (std::optional<Run> Whole = Cycles.add(std::move(*From)))
        takeTrace(std::move(*Whole));
      return;
    }
    addTreeAndHistory(*From, Request.Options.NumbersAreKeys);
    if (!Request.Options.Merged) {
      if (Ranks.size() < MaxHtmlRuns)
        addAlone(*From);
      return keepRank(std::move(*From));
    }
    Profiles.push_back(std::move(*From));
  }

  // Keeps what a page of several traces needs of one.
  void takeTrace(Run Whole) {
    addTreeAndHistory(Whole, Request.Options.NumbersAreKeys);
    TraceFigures.push_back(figuresOf(Whole, {}));
    Whole.Stream = {};
    Traces.push_back(std::move(Whole));
  }

  // Keeps what the comparison of ranks needs of a rank.
  void keepRank(Run From) {
    if (!From.By->KnowsOwnTime || From.Rank < 0)
      return;
    From.Timeline.clear();
    From.Gpu.Events = std::vector<GpuEvent>(); // its memory, too
    From.Stacks = {};
    Ranks.push_back(std::move(From));
  }

  // Adds the ranks of a run side by side, if the page has several; if there are
  // very many, their sum instead of each.
  void addRanks() {
    if (Ranks.size() < 2)
      return;
    ViewOptions Options = Request.Options;
    Options.Rank.reset();
    Merger Together(RanksView, Options);
    bool IsSum = Ranks.size() >= MaxHtmlRuns;
    for (Run &Each : Ranks)
      if (Together.add(IsSum ? Each : std::move(Each)))
        return;
    if (Result<Section> Found = Together.finish())
      Made.Shared.emplace_back(RanksView.Name, std::move(Found->Tables));
    if (!IsSum)
      return;
    std::erase_if(Made.Runs, [](const HtmlRun &R) { return R.Rank >= 0; });
    size_t Count = Ranks.size();
    Run Sum = mergeProfiles(std::move(Ranks));
    addAlone(Sum);
    Made.Runs.back().Missing = {fmt::format(
        "Single ranks: {} are summed up here; --rank N makes the page of one.",
        Count)};
  }

  // With a common timeline if the processes had one clock.
  void addProfiles() {
    Result<Run> All = clocksDiffer(Profiles).empty()
                          ? mergeTimelines(std::move(Profiles))
                          : mergeProfiles(std::move(Profiles));
    if (!All)
      return fail(All.error().Message);
    addAlone(*All);
  }

  // OF has all its nodes.
  void addAlone(Run &Of) {
    std::vector<std::string> OfKeys = groupByKey(Of, Request.Options);
    add(Of, figuresOf(Of, {}), std::move(OfKeys));
  }

  void add(const Run &Of, const Figures &Found,
           std::vector<std::string> Notes) {
    HtmlRun Page = buildHtmlRun(Of, Found, Request.Options);
    std::ranges::move(Notes, std::back_inserter(Page.Footer));
    if (!Page.Problem.empty())
      fail(Page.Problem);
    Made.Runs.push_back(std::move(Page));
  }

  const ReportRequest &Request;
  std::vector<Run> Ranks; ///< without what fills memory
  // Those to be merged.
  std::vector<Run> Profiles;
  CycleJoiner Cycles;
  std::vector<Run> Traces; ///< their trees
  std::vector<Figures> TraceFigures;
};
} // namespace

int loopscope::runHtmlReport(const ReportRequest &Asked) {
  ReportRequest Request = Asked;
  const ViewOptions &Given = Request.Options;
  if (!Given.Sort.empty() || !Given.Filter.empty() || !Given.Columns.empty() ||
      !Given.Stage.empty() || Given.Rows) {
    printError("--format html: the page has all views in full, and sorts and "
               "filters them itself; leave out --stage, --sort, --rows, "
               "--columns and --filter");
    return Failure;
  }
  Result<std::string> Place = placeOfPage(Request.OutputFile, Request.Open,
                                          Given.Output, "report.html");
  if (!Place) {
    printError(Place.error().Message);
    return Failure;
  }
  Request.OutputFile = *Place;
  Collector Inputs(Request);
  std::vector<std::string> Files;
  for (const std::string &Path : Request.Files) {
    Result<std::vector<std::string>> Expanded = expandInputs({Path});
    if (!Expanded)
      Inputs.fail(Expanded.error().Message);
    else
      Files.insert(Files.end(), Expanded->begin(), Expanded->end());
  }
  Inputs.takeAll(onceEach(Files));
  Inputs.finish();
  if (Inputs.Made.Runs.empty() && !Inputs.Failed)
    Inputs.fail(noSuchRank(Request.Options));
  if (Inputs.Made.Runs.empty())
    return Failure;
  Result<std::string> Page = printHtml(Inputs.Made);
  if (!Page) {
    printError(Page.error().Message);
    return Failure;
  }
  bool Printed =
      writeOutput(*Page, Request.OutputFile, Inputs.Files).has_value();
  if (Printed && Request.Open && !openPage(Request.OutputFile))
    return Failure;
  return Printed && !Inputs.Failed ? Fine : Failure;
}
