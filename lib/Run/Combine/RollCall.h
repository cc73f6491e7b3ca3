// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of several files are the ranks of one run, and what is wrong with who
// they say they are.

#ifndef LOOPSCOPE_RUN_COMBINE_ROLLCALL_H
#define LOOPSCOPE_RUN_COMBINE_ROLLCALL_H

#include "Run/Run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loopscope {

/// The files of one run.
struct RankSet {
  std::vector<size_t> Files; ///< places in the list that was given, by rank
  /// Of those, the ones whose rank another process of the run claims as well,
  /// or that can't be right: to be told apart by their file.
  std::vector<size_t> Doubtful;
  std::vector<std::string> Notes; ///< what is wrong, one sentence each
  int64_t StartRealtimeNs = 0;    ///< of its last process
};

/// What the files are of.
struct RollCall {
  std::vector<RankSet> Runs;  ///< the one that started last first
  std::vector<size_t> Forked; ///< files of forked children, which aren't ranks
};

/// Tells the runs in ALL apart: by their id (RunInfo::RunId), and by time where
/// one id has a rank again after that rank's process had ended. Ids that name a
/// parent process hold for a part of the run only: sets of such ids are one run
/// if they overlap in time, say the same size and have each rank once, which a
/// note says. Files without an id, as traces and profiles of older versions
/// are, are taken for one run.
RollCall callRoll(const std::vector<const RunInfo *> &All);

/// Whether \p All, ranks of one run, lack some of it, or have one twice.
bool lacksRanks(const std::vector<Run> &All);

/// "0 to 3, 7": numbers in order, in words that stay short.
std::string rangesText(std::vector<int64_t> Numbers);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_ROLLCALL_H
