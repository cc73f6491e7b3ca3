// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope report --format html`: every view of every input on one page.

#include "Report/Commands/ReportCommand.h"

#include "Report/Commands/HtmlInputs.h"
#include "Report/Commands/OpenPage.h"
#include "Report/Commands/Output.h"

using namespace loopscope;

int loopscope::runHtmlReport(const ReportRequest &Asked) {
  ReportRequest Request = Asked;
  const ViewOptions &Given = Request.Options;
  if (!Given.Sort.empty() || !Given.Filter.empty() || !Given.Columns.empty() ||
      !Given.Stage.empty() || Given.Rows) {
    return fail("--format html: the page has views in full, and sorts and "
                "filters them itself; leave out --stage, --sort, --rows, "
                "--columns and --filter");
  }
  Result<std::string> Place = placeOfPage(Request.OutputFile, Request.Open,
                                          Given.Output, "report.html");
  if (!Place)
    return fail(Place.error().Message);
  Request.OutputFile = *Place;
  HtmlInputs Inputs = readHtmlInputs(Request.Files, Given, false);
  if (Inputs.Page.Runs.empty())
    return Failure;
  Result<std::string> Page = printHtml(Inputs.Page);
  if (!Page)
    return fail(Page.error().Message);
  bool Printed =
      writeOutput(*Page, Request.OutputFile, Inputs.Files).has_value();
  if (Printed && Request.Open && !openPage(Request.OutputFile))
    return Failure;
  return Printed && Inputs.Problems.empty() ? Fine : Failure;
}
