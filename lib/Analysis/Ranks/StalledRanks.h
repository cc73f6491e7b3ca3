// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds live runs in which ranks wait for others that don't arrive in a
// collective, or don't send or take a message.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_STALLEDRANKS_H
#define LOOPSCOPE_ANALYSIS_RANKS_STALLEDRANKS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A rank as just read.
struct RankNow {
  const Run *Of = nullptr;
  bool IsAlive = true;
  int64_t NowNs = 0; ///< since the run's start
};

/// A rank that hasn't arrived.
struct MissingRank {
  int64_t Rank = -1;
  std::string Host; ///< empty if all ranks are on one
  bool HasProfile = true;
  bool HasEnded = false;
  bool IsWaiting = false; ///< in another call for other ranks
  std::string Phase;      ///< the innermost that is open; empty: none
  std::string File;
  uint32_t Line = 0;
  int64_t Step = -1; ///< of its outermost loop, from 0; -1: it is in none
};

/// A collective, or the start or end of MPI, that some ranks are in and others
/// haven't reached; or a call that waits for a message.
struct StalledCall {
  std::string Name;
  std::string Communicator; ///< of MPI; else empty
  std::vector<int64_t> Waiting;
  int64_t LongestNs = 0;            ///< that one of them has waited
  std::vector<MissingRank> Missing; ///< those that don't wait come first
  /// Of a message: whether one of the missing ranks may be enough, whether
  /// there are more than those, whether it may be any.
  bool NeedsOne = false;
  bool NeedsMore = false;
  bool NeedsAny = false;
};

/// The calls of \p All in which a rank has been for StalledSeconds. Ranks run
/// the same program, so the n-th instance of a collective at a site is the same
/// one in all of them. The ranks of a communicator are those that have called
/// it by name. First collectives, then messages; of each, first those for which
/// a rank is awaited that doesn't wait itself: a wait is nobody's fault.
std::vector<StalledCall> findStalled(const std::vector<RankNow> &All);

/// "ranks 0, 2 have been in MPI_Allreduce, MPI_COMM_WORLD, for 35 s and wait
/// for rank 1 on node7, which is in load, train.cpp:12"
std::string stalledText(const StalledCall &Of);

/// Where ranks of a run that has ended were still waiting for others in a
/// collective, and for whom: a sentence. Empty if nobody was, or some rank of
/// \p All may still be running.
std::string unfinishedText(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_STALLEDRANKS_H
