// `loopscope report --format html`: every view of every input on one page.
#include "Report/ReportCommand.h"

#include "Profile/KinetoProfile.h"
#include "Profile/Merge.h"
#include "Report/HtmlPage.h"
#include "Report/Input.h"
#include "Report/KinetoSection.h"
#include "Report/Output.h"

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
    Result<Input> From = readInput(Path, Request.Options, WithTimeline::Yes);
    if (!From)
      return fail(From.error().Message);
    if (!isWanted(*From, Request.Options))
      return;
    if (auto *Trace = std::get_if<KinetoTrace>(&*From))
      return takeTrace(*Trace);
    Profile &P = std::get<Profile>(*From);
    if (Request.Merge)
      Merging.push_back(std::move(P));
    else
      add(buildHtmlRun(P, Request.Options));
  }

  void finish() {
    if (!Merging.empty())
      addMerged();
    if (!Traces.empty())
      add(buildHtmlRun(mergeFigures(std::move(Traces)),
                       mergeProfiles(std::move(TraceProfiles)),
                       Request.Options));
  }

  void fail(const std::string &Why) {
    printError(Why);
    Failed = true;
  }

private:
  void takeTrace(const KinetoTrace &Trace) {
    if (!Request.Merge)
      return add(buildHtmlRun(Trace, Request.Options));
    if (std::optional<Error> Why =
            refusal(Trace, View::Overview, Request.Options))
      return fail(Why->Message);
    Traces.push_back(figuresOf(Trace, false));
    TraceProfiles.push_back(profileOfTrace(Trace));
  }

  // With one timeline where the processes had one clock.
  void addMerged() {
    Result<Profile> All = clocksDiffer(Merging).empty()
                              ? mergeTimelines(std::move(Merging))
                              : mergeProfiles(std::move(Merging));
    if (!All)
      return fail(All.error().Message);
    add(buildHtmlRun(*All, Request.Options));
  }

  void add(Result<HtmlRun> Run) {
    if (!Run)
      return fail(Run.error().Message);
    if (!Run->Problem.empty())
      fail(Run->Problem);
    Runs.push_back(std::move(*Run));
  }

  const ReportRequest &Request;
  std::vector<Profile> Merging;
  std::vector<TraceFigures> Traces; ///< of those to be merged
  std::vector<Profile> TraceProfiles;
};
} // namespace

int loopscope::runHtmlReport(const ReportRequest &Request) {
  const ViewOptions &Given = Request.Options;
  if (!Given.Sort.empty() || !Given.Filter.empty() || !Given.Columns.empty() ||
      !Given.Stage.empty() || Given.Rows) {
    printError("--format html: the page has all views, whole, and sorts and "
               "filters them itself; leave out --stage, --sort, --rows, "
               "--columns and --filter");
    return 1;
  }
  Collector Inputs(Request);
  for (const std::string &Path : Request.Files) {
    Result<std::vector<std::string>> Expanded = expandInputs({Path});
    if (!Expanded)
      Inputs.fail(Expanded.error().Message);
    else
      for (const std::string &File : *Expanded)
        Inputs.take(File);
  }
  Inputs.finish();
  if (Inputs.Runs.empty() && !Inputs.Failed)
    Inputs.fail(noSuchRank(Request.Options));
  if (Inputs.Runs.empty())
    return 1;
  Result<std::string> Page = printHtml(Inputs.Runs);
  if (!Page) {
    printError(Page.error().Message);
    return 1;
  }
  return !writeOutput(*Page, Request.OutputFile, Inputs.Files) || Inputs.Failed;
}
