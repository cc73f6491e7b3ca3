// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler's own time, as extensions report it, in the self time of nodes.

#ifndef LOOPSCOPE_TREE_COSTS_H
#define LOOPSCOPE_TREE_COSTS_H

#include "base/thread_links.h"
#include "profile/sums.h"

namespace loopscope::runtime {

/// The ticks that each extension took, by its index in the list.
struct TicksTaken {
  uint64_t By[32];
  uint64_t All;
};

/// Books ticks as costs in the self time of N, a node of the calling thread.
/// ON_SLOW_PATH: the caller is on one. From elsewhere, ticks may get lost where
/// the thread was already on one: the first that are booked on a node.
void bookCosts(const TicksTaken &Taken, Node *N, bool OnSlowPath);

/// Books TICKS that the calling thread took for COST, an extension's sum, in
/// the self time of its node N. Callable anywhere; ticks may be lost as above.
void bookCost(SumId Cost, const Node *N, uint64_t Ticks);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_COSTS_H
