// Reads every input, prints what could be read.
#include "Report/ReportCommand.h"

#include "Report/Input.h"
#include "Report/Output.h"
#include "Report/Views.h"

using namespace loopscope;

namespace {
// What of the timeline the request needs.
WithTimeline timelineFor(const ReportRequest &Request) {
  const ViewOptions &Options = Request.Options;
  // A step's roles go by the outermost phases, which cover those inside them.
  if (Request.Which == View::Overview)
    return WithTimeline::Outermost;
  if (Request.Which != View::Timeline)
    return WithTimeline::No;
  // Which of the last steps are wanted isn't known before all are read.
  size_t Steps = shownSteps(Options);
  return Steps == 0 || Request.Merge || !Options.Thread.empty() ||
                 !Options.Stage.empty()
             ? WithTimeline::Yes
             : WithTimeline::lastSteps(Steps);
}
} // namespace

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
  Merger Merging(Request.Which, Request.Options);
  for (const std::string &Path : Files) {
    Result<Input> From = readInput(Path, Request.Options, timelineFor(Request));
    if (!From) {
      Take(From.error());
      continue;
    }
    if (!isWanted(*From, Request.Options))
      continue;
    AnyWanted = true;
    if (!Together)
      Take(sectionOf(*From, Request.Which, Request.Options));
    else if (std::optional<Error> Why = Merging.add(std::move(*From)))
      Take(std::move(*Why));
  }
  if (!Merging.isEmpty())
    Take(Merging.finish());
  if (!AnyWanted && !Failed)
    Take(Error{noSuchRank(Request.Options)});
  if (Report.empty())
    return 1;
  return !writeOutput(print(Report, Request.Options.Output,
                            terminalOf(Request.OutputFile)),
                      Request.OutputFile, Files) ||
         Failed;
}
