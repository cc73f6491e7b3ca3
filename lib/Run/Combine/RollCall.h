// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which of several files are the ranks of one run, and what is wrong
// with the ranks that they claim.

#ifndef LOOPSCOPE_RUN_COMBINE_ROLLCALL_H
#define LOOPSCOPE_RUN_COMBINE_ROLLCALL_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loopscope {

/// The files of one run.
struct RankSet {
  std::vector<size_t> Files; ///< places in the list that was given, by rank
  /// Those of them whose rank is also claimed by another process of the run, or
  /// can't be right: their files distinguish them.
  std::vector<size_t> Doubtful;
  std::vector<std::string> Notes; ///< what is wrong, one sentence each
  int64_t StartRealtimeNs = 0;    ///< of its last process
};

/// The runs that the files belong to.
struct RollCall {
  std::vector<RankSet> Runs;  ///< the one that started last first
  std::vector<size_t> Forked; ///< files of forked children, which aren't ranks
};

/// Separates the runs in \p All: by their id (RunInfo::RunId), and by time if
/// an id has a rank again after that rank's process had ended. Ids that name a
/// parent process cover only part of a run: sets of such ids are one run if
/// they overlap in time, agree on the number of ranks and have each rank once,
/// which a note says. Files without an id, such as traces and profiles of older
/// versions, are assumed to be one run.
RollCall callRoll(const std::vector<const RunInfo *> &All);

/// Whether some rank of the run that \p All belong to is missing or occurs
/// twice.
bool lacksRanks(const std::vector<Run> &All);

/// "0 to 3, 7": sorted numbers as short text.
std::string rangesText(std::vector<int64_t> Numbers);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_ROLLCALL_H
