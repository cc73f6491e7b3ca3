// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication of a traced process: its operations, and how much of each step
// they took. Plain values. Part of the model (Run.h), computed from a trace's
// events by addTraffic.

#ifndef LOOPSCOPE_RUN_MODEL_TRAFFIC_H
#define LOOPSCOPE_RUN_MODEL_TRAFFIC_H

#include "Run/Model/Intervals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// One operation.
struct TrafficOperation {
  std::string Name;
  std::string Group;    ///< of processes; empty: not in the trace
  std::string Ranks;    ///< of the group, as the trace writes them
  int64_t Sequence = 0; ///< its number within the group
  int64_t GroupSize = -1;
  int64_t Bytes = -1; ///< that the process puts in; -1: not in the trace
  std::string Step;   ///< that it is within; empty: none
  /// The call on the host and its kernels, or just its kernel.
  std::vector<Interval> Times;
};

/// What a step was spent on, ns: computation + communication - overlap + other
/// = its length.
struct TrafficStep {
  std::string Name;
  int64_t ComputationNs = 0;
  int64_t CommunicationNs = 0;
  int64_t OverlapNs = 0; ///< of both
  int64_t OtherNs = 0;
};

struct Traffic {
  std::vector<TrafficStep> Steps;
  /// What the verdict takes for communication, ns of all steps; negative if
  /// devices worked, whose kernels tell.
  int64_t VerdictNs = -1;
  /// Calls on the host, by start, with the kernels that they launched.
  std::vector<TrafficOperation> Calls;
  /// Kernels that name their operation and its group.
  std::vector<TrafficOperation> Kernels;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_TRAFFIC_H
