// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope suggest`: from samples of a program without marks to a selection
// file, with which its next build measures the loop that was found.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SUGGESTCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_SUGGESTCOMMAND_H

#include "Report/Commands/ReportCommand.h"

#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope suggest`.
struct SuggestRequest {
  std::vector<std::string> Files; ///< profiles, or directories of them
  ViewOptions Options;
  std::string OutputFile = "-";
};

/// Writes the rules; returns the exit code. Without a loop whose lines are
/// known it writes none, says why, and returns Failure.
int runSuggest(const SuggestRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SUGGESTCOMMAND_H
