// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope report`: its request and its execution.

#ifndef LOOPSCOPE_REPORT_COMMANDS_REPORTCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_REPORTCOMMAND_H

#include "Report/Commands/Output.h"
#include "Report/Views/View.h"

#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope report`.
struct ReportRequest {
  std::vector<std::string> Files;
  const View *Which = nullptr; ///< null: the default
  ViewOptions Options;         ///< Output is the format
  TextRequest Text;
  std::string OutputFile = "-";
  bool Open = false; ///< in a browser: the html page
};

/// Prints the report, and one line on standard error for each file that can't
/// be read. Returns the exit code: Failure if anything failed.
int runReport(const ReportRequest &Request);

/// The same for the HTML page, which contains all views of all inputs.
int runHtmlReport(const ReportRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_REPORTCOMMAND_H
