// Reads every input, prints what could be read.
#include "Report/ReportCommand.h"

#include "Report/Input.h"
#include "Report/Output.h"

using namespace loopscope;

int loopscope::runReport(const ReportRequest &Request) {
  if (Request.Options.Output == Format::Html)
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
  bool Together = Request.Merge || Request.Which == View::Ranks;
  bool AnyWanted = false;
  std::vector<Input> Merging;
  for (const std::string &Path : Files) {
    Result<Input> From = readInput(Path, Request.Options,
                                   Request.Which == View::Timeline ||
                                           Request.Which == View::Overview
                                       ? WithTimeline::Yes
                                       : WithTimeline::No);
    if (!From) {
      Take(From.error());
      continue;
    }
    if (!isWanted(*From, Request.Options))
      continue;
    AnyWanted = true;
    if (Together)
      Merging.push_back(std::move(*From));
    else
      Take(sectionOf(*From, Request.Which, Request.Options));
  }
  if (!Merging.empty())
    Take(mergedSection(std::move(Merging), Request.Which, Request.Options));
  if (!AnyWanted && !Failed)
    Take(Error{noSuchRank(Request.Options)});
  if (Report.empty())
    return 1;
  Terminal Where =
      Request.OutputFile.empty() ? outputTerminal() : fileTerminal();
  bool Written = writeOutput(print(Report, Request.Options.Output, Where),
                             Request.OutputFile);
  return Failed || !Written;
}
