// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters and sums per node of extensions, in chunks of their own
// (loopscope/profile_format_sums.h). An extension registers what it counts when
// it starts, and adds to it while the program runs.

#ifndef LOOPSCOPE_CORE_SUMS_H
#define LOOPSCOPE_CORE_SUMS_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A counter or a sum of this process. NotRegistered: there are too many;
/// nothing is added to it.
using CounterId = uint32_t;
using SumId = uint32_t;
constexpr uint32_t NotRegistered = LOOPSCOPE_NONE;

/// Registers the counter KEY, which must stay where it is. Before there is a
/// profile: each new one has an entry for every counter. The same key gives the
/// same counter.
CounterId registerCounter(const char *Key);

/// Adds AMOUNT to a counter. Any thread, signal safe; nothing without a
/// profile.
void addToCounter(CounterId Counter, uint64_t Amount);

/// Registers the sum KEY, which must stay where it is, when the extension
/// starts. A profile has it where something was added. The same key gives the
/// same sum.
SumId registerSum(const char *Key, loopscope_sum_unit Unit);

/// The sum registered under KEY.
SumId findSum(const char *Key);

/// Adds AMOUNT to a sum of the node with this index. One thread at a time for
/// each node. The first time for a node takes the slow lock: on a slow path or
/// a thread of ours. False without memory or a profile.
bool addToNode(SumId Sum, uint32_t NodeIndex, uint64_t Amount);

/// The same without a lock; false, too, where nothing was added to this sum of
/// the node before.
bool addToKnownNode(SumId Sum, uint32_t NodeIndex, uint64_t Amount);

/// Adds AMOUNT to a sum in LOOPSCOPE_SUM_REAL, as addToNode() does.
bool addReal(SumId Sum, uint32_t NodeIndex, double Amount);

/// Makes such a sum VALUE, and its count 1 more.
bool setReal(SumId Sum, uint32_t NodeIndex, double Value);

/// Gives a new profile its counters. Slow lock held.
void makeCounters();

/// For a forked child: nothing was counted; what is registered stays.
void resetSums();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SUMS_H
