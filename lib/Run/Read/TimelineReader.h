// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of LOOPSCOPE=trace: events paired into spans.

#ifndef LOOPSCOPE_RUN_READ_TIMELINEREADER_H
#define LOOPSCOPE_RUN_READ_TIMELINEREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// How the model calls what events refer to.
struct TimelineIndices {
  std::unordered_map<uint32_t, uint32_t> ThreadOf; ///< file's index -> ours
  std::unordered_map<uint32_t, uint32_t> NodeOf;   ///< file's index -> ours
  std::vector<uint64_t> Ends; ///< ticks up to which a thread's open spans ran
};

/// The spans of every thread of Run::Threads, whose nodes are NODES. Events
/// that refer to nothing and ends without a begin (it was overwritten) are left
/// out.
///
/// With STEPS less than SIZE_MAX, reads as far back as it takes to have that
/// many steps, and no further: what ran at that time is then said to have begun
/// there. Else, only the blocks that have about the NEWEST spans; IS_CUT: older
/// ones were left out.
std::vector<std::vector<TimelineSpan>>
readTimeline(ProfileBytes &Records, const Clock &Ticks,
             const TimelineIndices &Indices, const std::vector<Node> &Nodes,
             size_t Steps, size_t Newest, bool &IsCut);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_TIMELINEREADER_H
