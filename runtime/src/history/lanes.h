// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call paths that the history follows, each in a lane, and how far they
// are. The program's threads offer call paths, the background thread does the
// rest.

#ifndef LOOPSCOPE_HISTORY_LANES_IN_RUNTIME_H
#define LOOPSCOPE_HISTORY_LANES_IN_RUNTIME_H

#include "profile/node_links.h"

#include <loopscope/history_lanes.h>

namespace loopscope::runtime {

/// Call paths that are followed, at most.
constexpr uint32_t MostFollowed = 512;

/// The calling thread made N: follows it if the history has a lane for such
/// call paths. Without a lock.
void offerPath(Node *N);

/// A followed call path. What bins already have of it is next to it.
struct Followed {
  Node *Of;
  Node *Step; ///< the innermost one around it, or itself; may be null
  Node *Draw; ///< of that step
  Node *Batch;
  Node *Root; ///< of its thread's tree
  uint32_t Lane;
  uint64_t Ticks;
  uint64_t Count; ///< of a STEP
  uint64_t Samples;
  uint64_t *Buckets; ///< of a STEP, as in its histogram; null: out of memory

  /// Its time up to NOW, with open spans; what it was the last time if its
  /// thread is writing it.
  uint64_t timeAt(uint64_t Now) const;
};

/// Takes in what was offered, with lanes for it in the profile. Takes the slow
/// lock for the first lane.
void adoptPaths();
/// Those so far, in the order of their first visits.
uint32_t followedCount();
Followed &followed(uint32_t Index);

/// The lowest pair of the loop's records, from now on
/// (loopscope_history_steps); 255 before its first step.
uint8_t &lowestPairOf(uint32_t Loop);
/// Which of the loops has this lane for its steps.
uint32_t loopOf(uint32_t Lane);

/// For a forked child.
void resetLanes();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_HISTORY_LANES_IN_RUNTIME_H
