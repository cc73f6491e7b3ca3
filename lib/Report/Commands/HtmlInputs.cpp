// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what a page shows.

#include "Report/Commands/HtmlInputs.h"

#include "Analysis/Ranks/Ranks.h"
#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/SlowNotice.h"
#include "Report/Views/BuildSection.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/TraceCycles.h"
#include "Run/Read/MergedFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

using namespace loopscope;

namespace {
// With this many ranks or more, the page shows their sum instead of each.
constexpr size_t MaxHtmlRuns = 64;
// The most spans to hold, over all inputs: each takes a few hundred bytes.
// Those of threads with more stay in their file.
constexpr size_t MaxSpansRead = 3'000'000;
// The most spans to keep, over all runs: 40 bytes each.
constexpr size_t MaxSpansKept = 2 * MaxSpansRead;

// Reads the inputs one after another; only what the page shows of each stays in
// memory.
class InputCollector {
public:
  InputCollector(const ViewOptions &Asked, bool KeepsSpans)
      : Options(Asked), KeepsSpans(KeepsSpans) {
    Options.Output = Format::Html; // --open alone doesn't say so
  }

  /// Takes INPUTS together.
  void takeAll(const std::vector<std::string> &Inputs) {
    // Unless they are merged, only one is in memory at a time.
    size_t Spans = Options.Merged && !Inputs.empty()
                       ? MaxSpansRead / Inputs.size()
                       : MaxSpansRead;
    for (const std::string &Each : Inputs)
      take(Each, WithTimeline::newest(Spans));
  }

  HtmlInputs Made;

  void finish() {
    if (std::optional<Run> Last = Cycles.finish())
      takeTrace(std::move(*Last));
    addRanks();
    if (!Profiles.empty())
      addProfiles();
    if (!Traces.empty()) {
      Run All = mergeProfiles(std::move(Traces));
      std::vector<std::string> OfKeys = groupByKey(All, Options);
      add(All, mergeFigures(std::move(TraceFigures)), std::move(OfKeys));
    }
  }

  void fail(const std::string &Why) {
    printError(Why);
    Made.Problems.push_back(Why);
  }

private:
  void take(const std::string &Path, WithTimeline Events) {
    Made.Files.push_back(Path);
    std::optional<SlowNotice> Notice("reading " + Path);
    Result<Run> From = readInput(Path, Options, Events);
    Notice.reset();
    if (!From)
      return fail(From.error().Message);
    if (!isWanted(*From, Options))
      return;
    Made.IsRunning = Made.IsRunning || From->Ended == End::Running;
    const View &Needed = hasSamplesOnly(*From) ? LoopsView : SimpleView;
    if (std::optional<Error> Why = refusal(*From, Needed, Options))
      return fail(Why->Message);
    if (Options.Merged && From->By->KeepsEvents) {
      if (std::optional<Run> Whole = Cycles.add(std::move(*From)))
        takeTrace(std::move(*Whole));
      return;
    }
    addTreeAndHistory(*From, Options.NumbersAreKeys);
    if (!Options.Merged) {
      if (Ranks.size() < MaxHtmlRuns)
        addAlone(*From);
      return keepRank(std::move(*From));
    }
    Profiles.push_back(std::move(*From));
  }

  // Keeps what a page of several traces needs of one.
  void takeTrace(Run Whole) {
    addTreeAndHistory(Whole, Options.NumbersAreKeys);
    TraceFigures.push_back(figuresOf(Whole, {}));
    Whole.Stream = {};
    Traces.push_back(std::move(Whole));
  }

  // Keeps what the comparison of ranks needs of a rank.
  void keepRank(Run From) {
    if (!From.By->KnowsOwnTime || From.Rank < 0)
      return;
    From.Timeline.clear();
    From.FileLanes.clear();
    From.Gpu.Events = std::vector<GpuEvent>(); // its memory, too
    From.Stacks = {};
    Ranks.push_back(std::move(From));
  }

  // Adds the ranks of a run side by side, if the page has several; if there are
  // very many, their sum instead of each.
  void addRanks() {
    if (Ranks.size() < 2)
      return;
    ViewOptions OfAll = Options;
    OfAll.Rank.reset();
    Merger Together(RanksView, OfAll);
    bool IsSum = Ranks.size() >= MaxHtmlRuns;
    for (Run &Each : Ranks)
      if (Together.add(IsSum ? Each : std::move(Each)))
        return;
    if (Result<Section> Found = Together.finish())
      Made.Page.Shared.emplace_back(RanksView.Name, std::move(Found->Tables));
    if (!IsSum)
      return;
    for (size_t I = Made.Page.Runs.size(); I-- > 0;)
      if (Made.Page.Runs[I].Rank >= 0) {
        Made.Page.Runs.erase(Made.Page.Runs.begin() + static_cast<int64_t>(I));
        Made.Spans.erase(Made.Spans.begin() + static_cast<int64_t>(I));
      }
    size_t Count = Ranks.size();
    RanksVerdict OfRanks = verdictOfRanks(Ranks, Options.Stage);
    Run Sum = mergeProfiles(std::move(Ranks));
    Sum.OfRanks = std::move(OfRanks);
    addAlone(Sum);
    Made.Page.Runs.back().Missing = {fmt::format(
        "Single ranks: {} are summed up here; --rank N makes the page of one.",
        Count)};
  }

  // With a common timeline if the processes had one clock.
  void addProfiles() {
    RanksVerdict OfRanks = verdictOfRanks(Profiles, Options.Stage);
    Result<Run> All = clocksDiffer(Profiles).empty()
                          ? mergeTimelines(std::move(Profiles))
                          : mergeProfiles(std::move(Profiles));
    if (!All)
      return fail(All.error().Message);
    All->OfRanks = std::move(OfRanks);
    addAlone(*All);
  }

  // OF has all its nodes.
  void addAlone(Run &Of) {
    std::vector<std::string> OfKeys = groupByKey(Of, Options);
    add(Of, figuresOf(Of, {}), std::move(OfKeys));
  }

  void add(const Run &Of, const Figures &Found,
           std::vector<std::string> Notes) {
    HtmlSpans Rest;
    std::optional<SlowNotice> Notice("making the page of " + Of.Path);
    HtmlRun Page =
        buildHtmlRun(Of, Found, Options, KeepsSpans ? &Rest : nullptr);
    Notice.reset();
    std::ranges::move(Notes, std::back_inserter(Page.Footer));
    if (!Page.Problem.empty())
      fail(Page.Problem);
    Made.Page.Runs.push_back(std::move(Page));
    if (SpansKept + Rest.held() > MaxSpansKept)
      Rest = {};
    SpansKept += Rest.held();
    Made.Spans.push_back(std::move(Rest));
  }

  ViewOptions Options;
  bool KeepsSpans;
  size_t SpansKept = 0;   ///< over all runs
  std::vector<Run> Ranks; ///< without what fills memory
  // Those to be merged.
  std::vector<Run> Profiles;
  CycleJoiner Cycles;
  std::vector<Run> Traces; ///< their trees
  std::vector<Figures> TraceFigures;
};
} // namespace

HtmlInputs loopscope::readHtmlInputs(const std::vector<std::string> &Paths,
                                     const ViewOptions &Options,
                                     bool KeepsSpans) {
  InputCollector Inputs(Options, KeepsSpans);
  std::vector<std::string> Files;
  for (const std::string &Path : Paths) {
    Result<std::vector<std::string>> Expanded = expandInputs({Path});
    if (!Expanded)
      Inputs.fail(Expanded.error().Message);
    else
      Files.insert(Files.end(), Expanded->begin(), Expanded->end());
  }
  Inputs.takeAll(onceEach(Files));
  Inputs.finish();
  if (Inputs.Made.Page.Runs.empty() && Inputs.Made.Problems.empty())
    Inputs.fail(noSuchRank(Options));
  return std::move(Inputs.Made);
}
