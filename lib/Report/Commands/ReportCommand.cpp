// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads every input and prints those that could be read.

#include "Report/Commands/ReportCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Views/BuildSection.h"
#include "Run/Read/RanksOfRun.h"

using namespace loopscope;

// Whether Files are the ranks of one run, of which a summary is to be shown:
// nobody reads those of a thousand ranks one by one.
static bool isSummaryOfRanks(const View &Which, const ViewOptions &Options,
                             const std::vector<std::string> &Files) {
  return &Which == &SummaryView && Options.Output == Format::Text &&
         !Options.Merged && !Options.Rank && Options.Thread.empty() &&
         areRanksOfOneRun(Files);
}

int loopscope::runReport(const ReportRequest &Request) {
  if (Request.Options.Output == Format::Html || Request.Open)
    return runHtmlReport(Request);
  std::vector<Section> Report;
  bool Failed = false;
  auto Take = [&](Result<Section> S) {
    const std::string &Problem = S ? S->Problem : S.error().Message;
    if (!Problem.empty()) {
      printError(Problem);
      Failed = true;
    }
    if (S)
      Report.push_back(std::move(*S));
  };
  std::vector<std::string> Files;
  for (const std::string &Path : Request.Files) {
    Result<std::vector<std::string>> Expanded = expandInputs({Path});
    if (Expanded)
      Files.insert(Files.end(), Expanded->begin(), Expanded->end());
    else
      Take(Expanded.error());
  }
  const View &Which = Request.Which
                          ? *Request.Which
                          : defaultView(Request.Options, Request.Text.Style);
  Files = onceEach(Files);
  bool AreRanks = isSummaryOfRanks(Which, Request.Options, Files);
  ViewOptions Options = Request.Options;
  Options.Merged = Options.Merged || AreRanks;
  bool Together = Options.Merged || Which.OfRuns;
  WithTimeline Timeline = Which.Reads ? Which.Reads(Options) : WithTimeline::No;
  bool AnyWanted = false;
  Merger Merging(Which, Options);
  for (const std::string &Path : Files) {
    Result<Run> From = readInput(Path, Options, Timeline);
    if (!From) {
      Take(From.error());
      continue;
    }
    if (!isWanted(*From, Options))
      continue;
    AnyWanted = true;
    if (!Together) {
      const View *Other = insteadOf(Which, *From);
      Take(sectionOf(std::move(*From), Other ? *Other : Which, Options));
    } else if (std::optional<Error> Why = Merging.add(std::move(*From)))
      Take(std::move(*Why));
  }
  if (!Merging.isEmpty()) {
    Result<Section> All = Merging.finish();
    if (All && AreRanks)
      All->Footer.push_back(
          "These are the ranks of one run, added up; `--rank N` shows one.");
    Take(std::move(All));
  }
  if (!AnyWanted && !Failed)
    Take(Error{noSuchRank(Options)});
  if (Report.empty())
    return Failure;
  bool Printed =
      writeOutput(print(Report, Options.Output, Options.Bare,
                        terminalOf(Request.OutputFile, Request.Text)),
                  Request.OutputFile, Files)
          .has_value();
  return Printed && !Failed ? Fine : Failure;
}
