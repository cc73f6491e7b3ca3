// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope watch`: runs while they go.

#ifndef LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H

#include "Analysis/LiveProgress.h"
#include "Report/Commands/Output.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope watch`.
struct WatchRequest {
  /// Profiles' paths, directories of them, or process ids: one for each rank.
  std::vector<std::string> Targets;
  double IntervalSeconds = 1;
  uint64_t Steps = 0; ///< that a whole run has; 0: not known
  TextRequest Text;
};

/// One line: steps, how much of \p Steps (0: not known) they are and how long
/// the rest takes, samples per second since the reading before and on average,
/// the shares of the steps' time that were waiting for data and on the
/// processor, their share without one, if any, and the step times as a
/// sparkline.
std::string progressLine(const ProgressHistory &Of, uint64_t Steps, bool Utf8);

/// Shows the runs until they end, in place on a terminal, one line per run and
/// interval elsewhere. Returns the exit code.
int watchRuns(const WatchRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
