// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of collectives, matched between ranks by place in the source and
// number, and split into wait and transfer.

#ifndef LOOPSCOPE_ANALYSIS_RANKINSTANCES_H
#define LOOPSCOPE_ANALYSIS_RANKINSTANCES_H

#include "Run/Run.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// An instance that all ranks of its place have.
struct MatchedInstance {
  /// A step, by its loop's node and its number in the first rank.
  std::pair<uint32_t, uint64_t> Step;
  std::vector<const CollectiveInstance *> Of; ///< by rank
  std::vector<int64_t> WaitNs;                ///< by rank
  int64_t transferNs(size_t Rank) const { return Of[Rank]->Ns - WaitNs[Rank]; }
};

/// A place in the source where ranks communicate; a function of MPI has one for
/// each communicator.
struct MatchedPlace {
  std::string Name;          ///< for sentences: "reduce, train.cpp:7"
  std::vector<size_t> Ranks; ///< the runs that have it; MatchedInstance's ranks
  std::vector<std::vector<uint32_t>> Nodes; ///< by rank
  bool HasOneClock = false;                 ///< all of them
  /// Those that all of Ranks still have, by number; none where WhyNot says why.
  std::vector<MatchedInstance> List;
  std::string WhyNot;
};

/// Matches the instances of ALL whose nodes WITHIN, which has a flag per run
/// and node, has, among the ranks that come to a place.
std::vector<MatchedPlace>
matchPlaces(const std::vector<Run> &All,
            const std::vector<std::vector<bool>> &Within);

/// Instances of all ranks.
struct MatchedInstances {
  std::vector<MatchedInstance> List; ///< in the first rank's order
  bool HasOneClock = false;
  std::vector<std::string> Notes; ///< places that can't be compared, and why
};

/// The instances of places that all of ALL come to: of one stage's steps, as
/// WITHIN says.
MatchedInstances matchCollectives(const std::vector<Run> &All,
                                  const std::vector<std::vector<bool>> &Within);

/// What waits and transfers are of where of the instances only the part COVERED
/// was compared; empty where that is nearly all.
std::string coverageNote(double Covered);

/// The outermost STEP that node N of P is in; None outside.
uint32_t outermostStepOf(const Run &P, uint32_t N);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKINSTANCES_H
