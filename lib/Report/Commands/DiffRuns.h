// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of two programs in turn, for `loopscope diff`.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFRUNS_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFRUNS_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loopscope {

struct ViewOptions;

/// Two programs, and how often to run them.
struct PairsRequest {
  bool IsWanted = false; ///< in place of profiles
  /// Program and arguments of each side.
  std::vector<std::string> Before;
  std::vector<std::string> After;
  size_t Runs = 10;          ///< of each side, those that count
  size_t Warmup = 1;         ///< of each side, before them
  std::string Environment;   ///< what LOOPSCOPE= says to both
  std::string KeepDirectory; ///< where the profiles stay; empty: nowhere
};

/// The runs of both sides; run I of one side is paired with run I of the other.
struct PairedRuns {
  std::vector<Run> Before;
  std::vector<Run> After;
};

/// Runs both programs alternately and swaps their order from pair to pair, so
/// that neither side gets the better moments. The ranks of a run are summed up
/// as one. Errors say which run failed and why.
Result<PairedRuns> runPairs(const PairsRequest &Request,
                            const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFRUNS_H
