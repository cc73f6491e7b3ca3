// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX ranges with a start and an end call: they need not nest, and may end on
// another thread. They aren't spans; each name has its own record in the
// profile (loopscope/profile_format_ranges.h).

#ifndef LOOPSCOPE_NVTX_FREE_RANGES_H
#define LOOPSCOPE_NVTX_FREE_RANGES_H

#include "tree/span_names.h"

namespace loopscope::runtime {

/// Begins a range called NAME; any thread. Returns an id for endFreeRange(), or
/// 0 if the range isn't recorded: out of memory, beyond 65,536 open ranges, or
/// in a signal handler that interrupted the runtime.
uint64_t startFreeRange(const SpanName *Name);

/// Ends the range with this id; any thread. False if it isn't open, as for the
/// parent's ranges after a fork.
bool endFreeRange(uint64_t Id);

/// For a forked child: no ranges are open, and the profile has none.
void resetFreeRanges();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_FREE_RANGES_H
