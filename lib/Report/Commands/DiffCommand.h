// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope diff`: what changed between two runs, or two sides of several.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFCOMMAND_H

#include "Analysis/Compare/Diff.h"
#include "Report/Commands/DiffRuns.h"
#include "Report/Commands/Output.h"
#include "Report/Views/View.h"

#include <optional>
#include <string>

namespace loopscope {

/// A parsed command line of `loopscope diff`.
struct DiffRequest {
  std::string Before; ///< a profile or trace, or a directory of them
  std::string After;
  PairsRequest Pairs;  ///< in place of these, programs to run
  ViewOptions Options; ///< Output is the format; By may be Key
  TextRequest Text;
  std::string OutputFile = "-";
  bool Open = false; ///< make the page and open it in the browser
  /// Exit with 1 when an action got slower by more than this, in percent, and
  /// the change is significant.
  std::optional<double> FailOver;
  /// Share of a stage's time; actions that take less aren't judged.
  double LeastShare = LeastDiffShare;
};

/// One table per stage: means before and after, the change, and whether it is
/// more than chance. \p Cpu: adds processor time, faults and switches, per run.
Section buildDiff(const std::vector<StageChange> &Stages, const DiffMethod &How,
                  bool Cpu);

/// Prints the comparison. Returns the exit code.
int runDiff(const DiffRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFCOMMAND_H
