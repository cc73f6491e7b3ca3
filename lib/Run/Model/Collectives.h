// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives: the instances that the profile's ring still holds, what was
// exchanged with whom, and the own time of single steps. Plain values, checked.
// Part of the model (Run.h), filled by readCollectives.

#ifndef LOOPSCOPE_RUN_MODEL_COLLECTIVES_H
#define LOOPSCOPE_RUN_MODEL_COLLECTIVES_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <vector>

namespace loopscope {

/// A phase's own time before a collective.
struct WorkPhase {
  uint32_t Node = LOOPSCOPE_NONE;
  int64_t Ns = 0;
};

/// A finished instance; listed in the order in which they ended, process by
/// process.
struct CollectiveInstance {
  uint32_t Node = LOOPSCOPE_NONE; ///< of kind COLLECTIVE, or enqueued
  uint64_t Number = 0;            ///< of its site: the same in all ranks
  int64_t EnterNs = 0;            ///< since the run's start
  int64_t Ns = 0;                 ///< duration
  uint64_t Bytes = 0;             ///< from the annotation
  /// The time since the thread's previous collective in the same execution of
  /// the outermost loop, and the phases in which most of it was spent, largest
  /// first.
  int64_t WorkNs = 0;
  uint64_t Step = 0; ///< of that loop
  bool HasPhases = false;
  std::vector<WorkPhase> Phases;
  /// For an operation on a device, whose times are the device's: the number of
  /// ranks of its communicator (0: not known), which of them this is, and how
  /// many operations of the node the same kernel did; Bytes are those of all of
  /// them.
  uint32_t Ranks = 0;
  uint32_t Rank = 0;
  uint32_t Operations = 1;
};

/// A phase's own time in a step.
struct StepPhase {
  uint32_t Node = LOOPSCOPE_NONE;
  int64_t Ns = 0;
  int64_t CriticalNs = 0; ///< the part after which it didn't wait, and
  int64_t MetNs = 0;      ///< the part after which it came to a wait,
  uint32_t MetNode = LOOPSCOPE_NONE; ///< lastly this one
};

/// The own time of a step, or of Steps of them of which it is the last.
struct OwnStep {
  uint32_t Node = LOOPSCOPE_NONE; ///< of kind STEP, in no other step
  uint64_t Number = 0;            ///< of its loop
  uint64_t Steps = 1;
  int64_t Ns = 0; ///< duration of the last one alone
  int64_t OwnNs = 0;
  std::vector<StepPhase> Phases; ///< longest first
};

/// What a call path exchanged with another rank.
struct PeerSum {
  uint32_t Node = LOOPSCOPE_NONE;
  uint32_t Peer = 0; ///< rank in the world
  loopscope_peer_role Role = LOOPSCOPE_PEER_TO;
  uint64_t Calls = 0;
  uint64_t Bytes = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_COLLECTIVES_H
