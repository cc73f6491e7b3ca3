// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans whose ends name what began them and not a token: ranges of NVTX,
// operators of LibTorch. Each thread keeps a stack of its own.

#ifndef LOOPSCOPE_CORE_OPEN_RANGES_H
#define LOOPSCOPE_CORE_OPEN_RANGES_H

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// What pushRange() and popRange() give where nothing was recorded; NVTX's
/// values.
constexpr int RangeNotTracked = -2;
constexpr int NoRangeToPop = -1;

/// Begins a span of SITE on the calling thread that KEY (any address, null too)
/// will end. Gives how many ranges of KEY were open; RangeNotTracked without
/// memory, and beyond 250 open ranges, which is counted.
int pushRange(const void *Key, const loopscope_site *Site);

/// Ends the calling thread's latest range of KEY, and with it those that were
/// pushed since, because spans nest; their own ends do nothing then. Gives how
/// many ranges of KEY are left, or one of the values above.
int popRange(const void *Key);

/// The calling thread ends: nothing of it is open.
void endRangesOfThread();

/// For a forked child: no ranges are open.
void resetRangesAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_OPEN_RANGES_H
