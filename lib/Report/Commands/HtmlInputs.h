// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the inputs of a command to what the HTML page shows of them, for the
// page as a file and for the page of a server.

#ifndef LOOPSCOPE_REPORT_COMMANDS_HTMLINPUTS_H
#define LOOPSCOPE_REPORT_COMMANDS_HTMLINPUTS_H

#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlSpans.h"
#include "Report/Views/View.h"

#include <string>
#include <vector>

namespace loopscope {

/// What was read.
struct HtmlInputs {
  HtmlReport Page; ///< without runs if none could be read
  /// By run of Page, spans that it has no room for; none where they would take
  /// too much memory.
  std::vector<HtmlSpans> Spans;
  std::vector<std::string> Files;    ///< that were read, or should have been
  std::vector<std::string> Problems; ///< why something couldn't be read
  bool IsRunning = false;            ///< whether a program still writes a file
};

/// Reads \p Paths, files and directories, as far as \p Options want them, and
/// keeps all spans if \p KeepsSpans. Prints problems on standard error, too.
HtmlInputs readHtmlInputs(const std::vector<std::string> &Paths,
                          const ViewOptions &Options, bool KeepsSpans);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_HTMLINPUTS_H
