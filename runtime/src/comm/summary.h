// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merged file of many ranks: brief copies of all, and the whole copies of a
// few that say most.
//
//   rank 0: makeBase ---------------> all ranks
//   each:   packBriefly against it -> rank 0, which writes them (MergedFile)
//   rank 0: chooseWhole ------------> those ranks send their whole copies, too

#ifndef LOOPSCOPE_COMM_SUMMARY_H
#define LOOPSCOPE_COMM_SUMMARY_H

#include "merged_file.h"

#include <loopscope/mpi.h>
#include <loopscope/profile_pack.h>

namespace loopscope::runtime {

/// LOOPSCOPE=ranks=: what a merged file has of each rank.
enum class MergedRanks { Auto, Summary, All };

/// LOOPSCOPE=keep=: which files a run of several ranks leaves if MPI can merge
/// their profiles.
enum class Keep { All, Merged, Ranks };

/// The words about merged files.
struct MergeSettings {
  Keep Keeps = Keep::All;
  MergedRanks Ranks = MergedRanks::Auto;
  char Path[512] = ""; ///< merged=, as given; empty: beside the profiles
};
extern MergeSettings Merging;

/// Whether the merged file of RANKS ranks is to be a summary.
bool isSummary(MergedRanks Wanted, uint64_t Ranks);

/// This process's brief copy, against which all ranks of RANKS pack theirs.
ProfileCopy makeBase(uint64_t Ranks);

/// This process's brief copy, packed against BASE. It has fewer single steps
/// and collectives if RANKS such copies would be too much.
ProfileCopy packBriefly(const profile_pack::Bytes &Base, uint64_t Ranks);

/// A rank's own time, from the head of its packed copy.
struct RankTimes {
  uint64_t OwnNs;
  uint64_t LongestNs;
};

/// The most ranks whose whole copies a summary has.
constexpr uint32_t MostWhole = LOOPSCOPE_MERGE_CHOSEN;

/// Chooses them among RANKS: rank 0, the median rank, those with the most own
/// time, and those with the longest step. Writes them to CHOSEN, MostWhole
/// places, each once; returns how many.
uint32_t chooseWhole(const RankTimes *Of, uint32_t Ranks, uint32_t *Chosen);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_SUMMARY_H
