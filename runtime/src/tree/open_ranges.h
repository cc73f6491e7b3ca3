// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans that are ended by a key instead of a token: ranges of NVTX, operators
// of LibTorch. Each thread has its own stack.

#ifndef LOOPSCOPE_TREE_OPEN_RANGES_H
#define LOOPSCOPE_TREE_OPEN_RANGES_H

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// Result of pushRange() and popRange() if nothing was recorded; has NVTX's
/// value.
constexpr int RangeNotTracked = -2;
constexpr int NoRangeToPop = -1;

/// Begins a span of SITE on the calling thread; popRange(KEY) ends it. KEY is
/// any address, or null. Returns how many ranges of KEY were open;
/// RangeNotTracked if memory ran out, or with 250 ranges open, which is
/// counted.
int pushRange(const void *Key, const loopscope_site *Site);

/// Ends the calling thread's latest range of KEY, and all ranges pushed after
/// it, because spans nest; their own ends are ignored. Returns how many ranges
/// of KEY remain, or RangeNotTracked.
int popRange(const void *Key);

/// The calling thread ends with nothing open.
void endRangesOfThread();

/// For a forked child: no ranges are open.
void resetRangesAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_OPEN_RANGES_H
