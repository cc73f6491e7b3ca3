// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Books costs; what doesn't fit without a lock waits for a slow path, or is
// lost.

#include "costs.h"

#include "extension.h"
#include "slow_path.h"

using namespace loopscope::runtime;

void loopscope::runtime::bookCosts(const TicksTaken &Taken, Node *N,
                                   bool OnSlowPath) {
  uint32_t I = 0;
  for (const Extension *Each : Extensions) {
    uint64_t Ticks = Taken.By[I++];
    if (Ticks == 0 || Each->CostKey == nullptr)
      continue;
    SumId Cost = findSum(Each->CostKey);
    if (OnSlowPath)
      addToNode(Cost, N->index, Ticks);
    else
      bookCost(Cost, N, Ticks);
  }
}

void loopscope::runtime::bookCost(SumId Cost, const Node *N, uint64_t Ticks) {
  if (addToKnownNode(Cost, N->index, Ticks))
    return;
  if (SlowPath Path(false); Path)
    addToNode(Cost, N->index, Ticks);
}
