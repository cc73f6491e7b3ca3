// `loopscope report --format html`: every view of every input on one page.
#include "Report/ReportCommand.h"

#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"
#include "Report/HtmlPage.h"
#include "Report/Output.h"

#include <fmt/format.h>

using namespace loopscope;

int loopscope::runHtmlReport(const ReportRequest &Request) {
  std::vector<Profile> Profiles;
  bool Failed = false;
  for (const std::string &Path : Request.Files) {
    Result<Profile> P = readProfile(Path, WithTimeline::Yes);
    if (P) {
      Profiles.push_back(std::move(*P));
      continue;
    }
    printError(P.error().Message);
    Failed = true;
  }
  if (Profiles.empty())
    return 1;
  std::vector<HtmlRun> Runs;
  if (Request.Merge)
    Runs.push_back(
        buildHtmlRun(mergeProfiles(std::move(Profiles)), Request.Options));
  else
    for (const Profile &P : Profiles)
      Runs.push_back(buildHtmlRun(P, Request.Options));
  Result<std::string> Page = printHtml(Runs);
  if (!Page) {
    printError(Page.error().Message);
    return 1;
  }
  return !writeOutput(*Page, Request.OutputFile) || Failed;
}
