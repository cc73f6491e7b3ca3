// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides the events of a thread at the borders of its steps: a trainer may end
// a step in the middle of its work, as Lightning does inside the optimizer.

#ifndef LOOPSCOPE_RUN_MODEL_STEPPARTS_H
#define LOOPSCOPE_RUN_MODEL_STEPPARTS_H

#include "Run/Model/Events.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// A part of an event, or all of it. Times are ns.
struct EventPart {
  uint32_t Event = 0; ///< in EventStream::Events
  uint32_t Rank = 0;  ///< the event's index among those of the thread
  int64_t Start = 0;
  int64_t End = 0;
};

struct StepParts {
  /// By start; of those that start together, the outer ones come first. Empty
  /// if nothing crosses a border: all events are whole.
  std::vector<EventPart> Parts;
  /// Events, and Python frames, that cross a step's border by no more than
  /// rounded times do, and were cut there.
  uint64_t Trimmed = 0;
  uint64_t TrimmedFrames = 0;
};

/// Divides those of \p Thread that are partly in a step, at the borders of all
/// steps, and likewise what is inside them. An event that contains whole steps
/// stays whole. \p Thread is sorted as Parts are.
StepParts divideAtSteps(const EventStream &Trace,
                        const std::vector<uint32_t> &Thread);

/// All of the event with index \p Rank among those of \p Thread.
EventPart wholeEvent(const EventStream &Trace,
                     const std::vector<uint32_t> &Thread, uint32_t Rank);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_STEPPARTS_H
