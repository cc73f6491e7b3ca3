// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope watch`: a run while it goes.

#ifndef LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H

#include "Report/Commands/Output.h"
#include "Run/Run.h"

#include <cstdint>
#include <string>

namespace loopscope {

/// A parsed command line of `loopscope watch`.
struct WatchRequest {
  std::string Target; ///< a profile's path, or a process id
  double IntervalSeconds = 1;
  TextRequest Text;
};

/// How far a run has got, summed over its training loops, or over its
/// validation loops when there is no other.
struct Progress {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  int64_t StepNs = 0;
  int64_t DrawNs = 0;
  CpuSums Cpu;
  int64_t WallNs = 0;
};

/// Adds up P's steps, the open one not included.
Progress progressOf(const Run &P);

/// One line: steps, samples per second since EARLIER and on average, the shares
/// of the steps' time that were waiting for data and on the processor, and
/// their share without one, if any.
std::string progressLine(const Progress &Now, const Progress &Earlier);

/// Shows the run until it ends, in place on a terminal, one line per interval
/// elsewhere. Returns the exit code.
int watchRun(const WatchRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_WATCHCOMMAND_H
