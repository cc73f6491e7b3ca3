// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope try`: from a program without marks to exact figures in one
// command. Samples find the loop, rules mark it in a build of its own, and that
// build's run is reported.

#ifndef LOOPSCOPE_REPORT_COMMANDS_TRYCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_TRYCOMMAND_H

#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope try`.
struct TryRequest {
  std::vector<std::string> Command;     ///< program and arguments, at least one
  std::string Build;                    ///< for a shell; empty: found out
  std::string Source = ".";             ///< where Build runs
  std::string Folder = "loopscope-try"; ///< for all that it makes
  bool Open = false;                    ///< show the page at the end
};

/// Does it, and says what it does on standard error. Returns the exit code of
/// the measured run, or Failure if a step before that fails; nothing outside
/// the folder is changed.
int runTry(const TryRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_TRYCOMMAND_H
