// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds live runs in which ranks wait in a collective for others that don't
// arrive.

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
  bool HasEnded = false;
  std::string Phase; ///< the innermost that is open; empty: none
  std::string File;
  uint32_t Line = 0;
  int64_t Step = -1; ///< of its outermost loop, from 0; -1: it is in none
};

/// A collective, or the start or end of MPI, that some ranks are in and others
/// haven't reached.
struct StalledCollective {
  std::string Name;
  std::string Communicator; ///< of MPI; else empty
  std::vector<int64_t> Waiting;
  int64_t LongestNs = 0; ///< that one of them has waited
  std::vector<MissingRank> Missing;
};

/// The collectives of \p All in which a rank has been for StalledSeconds. Ranks
/// run the same program, so the n-th instance at a site is the same one in all
/// of them. The ranks of a communicator are those that have called it by name.
std::vector<StalledCollective> findStalled(const std::vector<RankNow> &All);

/// "ranks 0, 2 have been in MPI_Allreduce, MPI_COMM_WORLD, for 35 s and wait
/// for rank 1, which is in load, train.cpp:12"
std::string stalledText(const StalledCollective &Of);

/// Where ranks of a run that has ended were still waiting for others in a
/// collective, and for whom: a sentence. Empty if nobody was, or some rank of
/// \p All may still be running.
std::string unfinishedText(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_STALLEDRANKS_H
