// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of NVTX that a start and an end delimit: they need not nest, and may
// end on another thread. They are no spans; each name has a record of its own
// in the profile (loopscope/profile_format_ranges.h).

#ifndef LOOPSCOPE_NVTX_FREE_RANGES_H
#define LOOPSCOPE_NVTX_FREE_RANGES_H

#include "core/span_names.h"

namespace loopscope::runtime {

/// Begins a range called NAME; any thread. Gives what endFreeRange() takes; 0
/// where it is left out: without memory, beyond 65,536 open ranges, in a signal
/// handler that interrupted the runtime.
uint64_t startFreeRange(const SpanName *Name);

/// Ends the range with this number; any thread. False where none is open, as
/// after a fork those of the parent.
bool endFreeRange(uint64_t Id);

/// For a forked child: no ranges are open, and the profile has none.
void resetFreeRanges();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_FREE_RANGES_H
