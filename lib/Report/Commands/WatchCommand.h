// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope watch`: shows runs in progress.

#ifndef LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H

#include "Analysis/Steps/LiveProgress.h"
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

/// One line: steps, how much of \p Steps (0: not known) they are and the time
/// left, samples per second since the last reading and on average, the shares
/// of the steps' time spent waiting for data, on the processor and, if any,
/// without a processor, and the step times as a sparkline.
std::string progressLine(const ProgressHistory &Of, uint64_t Steps, bool Utf8);

/// Shows the runs until they end: in place on a terminal, elsewhere one line
/// per run and interval. Returns the exit code.
int watchRuns(const WatchRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
