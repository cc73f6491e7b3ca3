// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of collectives, matched between ranks by source location and
// number, and split into wait and transfer.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_RANKINSTANCES_H
#define LOOPSCOPE_ANALYSIS_RANKS_RANKINSTANCES_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// When instance \p Of of \p R began and ended, on its host's clock.
int64_t enterNs(const Run &R, const CollectiveInstance &Of);
int64_t exitNs(const Run &R, const CollectiveInstance &Of);

/// An instance that all ranks of its place have.
struct MatchedInstance {
  /// The step: its loop's node and its number, in the first rank.
  std::pair<uint32_t, uint64_t> Step;
  std::vector<const CollectiveInstance *> Of; ///< by rank
  std::vector<int64_t> WaitNs;                ///< by rank
  int64_t transferNs(size_t Rank) const { return Of[Rank]->Ns - WaitNs[Rank]; }
};

/// A source location where ranks communicate. A function of MPI has one for
/// each communicator.
struct MatchedPlace {
  std::string Name;          ///< for sentences: "reduce, train.cpp:7"
  std::vector<size_t> Ranks; ///< the runs that have it; MatchedInstance's ranks
  std::vector<std::vector<uint32_t>> Nodes; ///< by rank
  bool HasOneClock = false;                 ///< all of them
  /// Those that all of Ranks still have, by number; empty if WhyNot gives a
  /// reason.
  std::vector<MatchedInstance> List;
  std::string WhyNot;
};

/// Matches the instances of \p All at each place, among the ranks that reach
/// it. Covers the nodes that \p Within selects, with a flag per run and node.
std::vector<MatchedPlace>
matchPlaces(const std::vector<Run> &All,
            const std::vector<std::vector<bool>> &Within);

/// What a rank did at a place, in all of its calls.
struct PlaceTime {
  uint64_t Calls = 0;
  uint64_t Compared = 0; ///< of them, with the other ranks
  int64_t Ns = 0;        ///< in finished calls
  /// Of Ns, waiting for the last rank: what is beyond the transfer of the
  /// compared calls, which is taken for the others' too.
  int64_t WaitNs = 0;
};

/// The rank with index \p Rank of \p At, whose List isn't empty.
PlaceTime placeTimeOf(const std::vector<Run> &All, const MatchedPlace &At,
                      size_t Rank);

/// How long a node's calls took. For work enqueued on devices, the device's
/// time counts, because the host only enqueues it.
int64_t finishedNs(const Node &N);

/// Instances that all ranks have.
struct MatchedInstances {
  std::vector<MatchedInstance> List; ///< in the first rank's order
  bool HasOneClock = false;
  std::vector<std::string> Notes;   ///< places that can't be compared, and why
  std::vector<std::string> Unsplit; ///< those of Notes on places of any ranks
};

/// The instances at places that all of \p All reach, in the steps of one stage,
/// as \p Within selects.
MatchedInstances matchCollectives(const std::vector<Run> &All,
                                  const std::vector<std::vector<bool>> &Within);

/// A sentence about waits and transfers being estimated from \p Covered, the
/// part of the instances that was compared; empty if that is nearly all.
std::string coverageNote(double Covered);

/// The outermost STEP that contains node \p N of \p R; None outside steps.
uint32_t outermostStepOf(const Run &R, uint32_t N);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_RANKINSTANCES_H
