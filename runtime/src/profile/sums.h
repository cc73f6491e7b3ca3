// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions' counters and per-node sums, in their own chunks
// (loopscope/profile_format_sums.h). An extension registers its keys when it
// starts and adds to them while the program runs.

#ifndef LOOPSCOPE_PROFILE_SUMS_H
#define LOOPSCOPE_PROFILE_SUMS_H

#include <loopscope/profile_format.h>

// Their values: loopscope/named_losses.h, loopscope/run_settings.h.
enum loopscope_named_loss : unsigned;
enum loopscope_setting : unsigned;

namespace loopscope::runtime {

/// A counter or sum of this process. NotRegistered: there are too many, and
/// additions are ignored.
using CounterId = uint32_t;
using SumId = uint32_t;
constexpr uint32_t NotRegistered = LOOPSCOPE_NONE;

/// Registers the counter KEY; the string must stay valid. Call before a profile
/// is made, because each new one has an entry for every counter. The same key
/// returns the same counter.
CounterId registerCounter(const char *Key);

/// Registers the counter of a loss, likewise.
void registerCounter(loopscope_named_loss Loss);

/// Adds AMOUNT to a counter. Any thread, signal safe; ignored without a
/// profile.
void addToCounter(CounterId Counter, uint64_t Amount);
void addToCounter(loopscope_named_loss Loss, uint64_t Amount);

/// The same for a loss that may come before there is a profile: the next one
/// then has it from the start, and those of forked children. Slow lock held.
void addToAllCounters(loopscope_named_loss Loss, uint64_t Amount);

/// Keeps the number of a word of LOOPSCOPE: every profile of this process and
/// of its forked children has VALUE from the start. Call when the extension
/// starts. Returns its counter, for what is only known later.
CounterId keepSetting(loopscope_setting Which, uint64_t Value);

/// Registers the sum KEY, when the extension starts; the string must stay
/// valid. A profile has it once something was added. The same key returns the
/// same sum.
SumId registerSum(const char *Key, loopscope_sum_unit Unit);

/// The sum registered under KEY.
SumId findSum(const char *Key);

/// Adds AMOUNT to a sum of the node with this index. One thread at a time per
/// node. The first addition for a node takes the slow lock, so call it on a
/// slow path or a thread of ours. False if out of memory or without a profile.
bool addToNode(SumId Sum, uint32_t NodeIndex, uint64_t Amount);

/// The same without a lock; also false if nothing was added to this sum of the
/// node before.
bool addToKnownNode(SumId Sum, uint32_t NodeIndex, uint64_t Amount);

/// Adds AMOUNT to a sum in LOOPSCOPE_SUM_REAL, as addToNode() does.
bool addReal(SumId Sum, uint32_t NodeIndex, double Amount);

/// Sets such a sum to VALUE, and adds 1 to its count.
bool setReal(SumId Sum, uint32_t NodeIndex, double Value);

/// Gives a new profile its counters. Slow lock held.
void makeCounters();

/// For a forked child: resets the values; registrations stay.
void resetSums();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_SUMS_H
