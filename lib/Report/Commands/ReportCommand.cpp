// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads every input and prints those that could be read.

#include "Report/Commands/ReportCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Views/BuildSection.h"
#include "Run/Read/MergedFile.h"

using namespace loopscope;

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
  bool Together = Request.Options.Merged || Which.OfRuns;
  Files = onceEach(Files);
  WithTimeline Timeline =
      Which.Reads ? Which.Reads(Request.Options) : WithTimeline::No;
  bool AnyWanted = false;
  Merger Merging(Which, Request.Options);
  for (const std::string &Path : Files) {
    Result<Run> From = readInput(Path, Request.Options, Timeline);
    if (!From) {
      Take(From.error());
      continue;
    }
    if (!isWanted(*From, Request.Options))
      continue;
    AnyWanted = true;
    if (!Together) {
      const View *Other = insteadOf(Which, *From);
      Take(
          sectionOf(std::move(*From), Other ? *Other : Which, Request.Options));
    } else if (std::optional<Error> Why = Merging.add(std::move(*From)))
      Take(std::move(*Why));
  }
  if (!Merging.isEmpty())
    Take(Merging.finish());
  if (!AnyWanted && !Failed)
    Take(Error{noSuchRank(Request.Options)});
  if (Report.empty())
    return Failure;
  bool Printed =
      writeOutput(print(Report, Request.Options.Output, Request.Options.Bare,
                        terminalOf(Request.OutputFile, Request.Text)),
                  Request.OutputFile, Files)
          .has_value();
  return Printed && !Failed ? Fine : Failure;
}
