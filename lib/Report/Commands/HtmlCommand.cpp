// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope report --format html`: every view of every input on one page.

#include "Report/Commands/ReportCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Views/BuildSection.h"
#include "Run/CallTree.h"
#include "Run/Combine/Merge.h"
#include "Run/Read/MergedFile.h"

#include <unistd.h>

using namespace loopscope;

namespace {
// Reads the inputs one after the other; only what the page shows of each stays
// in memory.
class Collector {
public:
  explicit Collector(const ReportRequest &Request) : Request(Request) {}

  bool Failed = false;
  std::vector<HtmlRun> Runs;
  std::vector<std::string> Files; ///< those that were read

  void take(const std::string &Path) {
    Files.push_back(Path);
    Result<Run> From = readInput(Path, Request.Options, WithTimeline::Yes);
    if (!From)
      return fail(From.error().Message);
    if (!isWanted(*From, Request.Options))
      return;
    if (std::optional<Error> Why = refusal(*From, SimpleView, Request.Options))
      return fail(Why->Message);
    addTree(*From, EventNodes::Yes);
    if (!Request.Options.Merged)
      return add(*From, figuresOf(*From, {}));
    if (!From->isTrace()) {
      Profiles.push_back(std::move(*From));
      return;
    }
    TraceFigures.push_back(figuresOf(*From, {}));
    From->Stream = {};
    Traces.push_back(std::move(*From));
  }

  void finish() {
    if (!Profiles.empty())
      addProfiles();
    if (!Traces.empty())
      add(mergeProfiles(std::move(Traces)),
          mergeFigures(std::move(TraceFigures)));
  }

  void fail(const std::string &Why) {
    printError(Why);
    Failed = true;
  }

private:
  // With one timeline where the processes had one clock.
  void addProfiles() {
    Result<Run> All = clocksDiffer(Profiles).empty()
                          ? mergeTimelines(std::move(Profiles))
                          : mergeProfiles(std::move(Profiles));
    if (!All)
      return fail(All.error().Message);
    add(*All, figuresOf(*All, {}));
  }

  void add(const Run &Of, const Figures &Found) {
    HtmlRun Page = buildHtmlRun(Of, Found, Request.Options);
    if (!Page.Problem.empty())
      fail(Page.Problem);
    Runs.push_back(std::move(Page));
  }

  const ReportRequest &Request;
  // Those to be merged.
  std::vector<Run> Profiles;
  std::vector<Run> Traces; ///< their trees
  std::vector<Figures> TraceFigures;
};
} // namespace

int loopscope::runHtmlReport(const ReportRequest &Request) {
  const ViewOptions &Given = Request.Options;
  if (!Given.Sort.empty() || !Given.Filter.empty() || !Given.Columns.empty() ||
      !Given.Stage.empty() || Given.Rows) {
    printError("--format html: the page has all views, whole, and sorts and "
               "filters them itself; leave out --stage, --sort, --rows, "
               "--columns and --filter");
    return Failure;
  }
  if (isStandardOutput(Request.OutputFile) && isatty(STDOUT_FILENO)) {
    printError("--format html: a page is nothing for a terminal; name a file, "
               "like -o report.html");
    return Failure;
  }
  Collector Inputs(Request);
  std::vector<std::string> Files;
  for (const std::string &Path : Request.Files) {
    Result<std::vector<std::string>> Expanded = expandInputs({Path});
    if (!Expanded)
      Inputs.fail(Expanded.error().Message);
    else
      Files.insert(Files.end(), Expanded->begin(), Expanded->end());
  }
  for (const std::string &File : withoutCopies(std::move(Files)))
    Inputs.take(File);
  Inputs.finish();
  if (Inputs.Runs.empty() && !Inputs.Failed)
    Inputs.fail(noSuchRank(Request.Options));
  if (Inputs.Runs.empty())
    return Failure;
  Result<std::string> Page = printHtml(Inputs.Runs);
  if (!Page) {
    printError(Page.error().Message);
    return Failure;
  }
  bool Printed =
      writeOutput(*Page, Request.OutputFile, Inputs.Files).has_value();
  return Printed && !Inputs.Failed ? Fine : Failure;
}
