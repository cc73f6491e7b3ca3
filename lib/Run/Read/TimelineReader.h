// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of LOOPSCOPE=trace: events paired into spans.

#ifndef LOOPSCOPE_RUN_READ_TIMELINEREADER_H
#define LOOPSCOPE_RUN_READ_TIMELINEREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// The parts of a word of loopscope_event_block.
struct PackedEvent {
  /// No file has more nodes with events.
  static constexpr uint32_t MaxNodes = 1U << LOOPSCOPE_EVENT_NODE_BITS;

  uint32_t Node;  ///< as the file counts
  uint32_t Type;  ///< a LOOPSCOPE_EVENT_ constant
  uint64_t Value; ///< ticks since the block's base, or the step's number

  explicit PackedEvent(uint64_t Word)
      : Node(Word & (MaxNodes - 1)),
        Type(Word >> LOOPSCOPE_EVENT_NODE_BITS &
             ((1U << LOOPSCOPE_EVENT_TYPE_BITS) - 1)),
        Value(Word >> (LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS)) {
  }
};

/// The model's indices for what events refer to.
struct TimelineIndices {
  std::unordered_map<uint32_t, uint32_t> ThreadOf; ///< file's index -> ours
  std::unordered_map<uint32_t, uint32_t> NodeOf;   ///< file's index -> ours
  std::vector<uint64_t> Ends; ///< ticks up to which a thread's open spans ran
};

/// The spans of every thread of Run::Threads, whose nodes are \p Nodes. Events
/// with bad references, and ends whose begin was overwritten, are left out.
///
/// If Steps is less than SIZE_MAX, reads only as far back as needed for that
/// many steps; what was running at that time is then shown as beginning there.
/// Otherwise, if Newest is less than SIZE_MAX, reads only the blocks with about
/// that many of the newest spans; \p IsCut tells whether older ones were left
/// out.
std::vector<std::vector<TimelineSpan>>
readTimeline(ProfileBytes &Records, const Clock &Ticks,
             const TimelineIndices &Indices, const std::vector<Node> &Nodes,
             size_t Steps, size_t Newest, bool &IsCut);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_TIMELINEREADER_H
