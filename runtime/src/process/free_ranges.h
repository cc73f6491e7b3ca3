// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges with a start and an end call: they need not nest, and may end on
// another thread. They aren't spans; each name has its own record in the
// profile (loopscope/profile_format_ranges.h). With a timeline, each range has
// an event, too.

#ifndef LOOPSCOPE_PROCESS_FREE_RANGES_H
#define LOOPSCOPE_PROCESS_FREE_RANGES_H

#include "tree/span_names.h"

namespace loopscope::runtime {

/// Begins a range called NAME; any thread. Returns an id for endFreeRange(), or
/// 0 if the range isn't recorded: out of memory, beyond 65,536 open ranges, or
/// in a signal handler that interrupted the runtime.
uint64_t startFreeRange(const SpanName *Name);

/// What became of a range's end.
enum class RangeEnd {
  Ended,
  EndedBefore, ///< counted in the record of its name
  NoRange,     ///< no range has had this id
  NotOurs,     ///< a range of the parent, after a fork, or there is no profile
};

/// Ends the range with this id; any thread.
RangeEnd endFreeRange(uint64_t Id);

/// For a forked child: no ranges are open, and the profile has none.
void resetFreeRanges();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_FREE_RANGES_H
