// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope run`: a program under the profiler, then its report.

#ifndef LOOPSCOPE_REPORT_COMMANDS_RUNCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_RUNCOMMAND_H

#include "Report/Commands/ReportCommand.h"

#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope run`.
struct RunRequest {
  std::vector<std::string> Command; ///< program and arguments, at least one
  /// What LOOPSCOPE= shall say; empty: what it says already.
  std::string Options;
  /// Whether the runtime may be put before a program that wasn't built with it.
  bool Preload = true;
  /// Whether calls may be counted in such a program, by breakpoints.
  bool CountsCalls = true;
  ReportRequest Report; ///< Files is filled in with what the run leaves
};

/// Runs the program, passes the terminal's and other processes' signals on to
/// it, and reports on the profiles it left, however it ended. Returns the
/// program's exit code, or Failure if that is 0 and there is nothing to report.
/// If a signal ended the program, the same signal ends this process.
int runProgram(RunRequest Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_RUNCOMMAND_H
