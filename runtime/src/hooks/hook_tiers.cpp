// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The leave that takes longer than most.

#include "hook_tiers.h"

#include "tree/spans.h"

using namespace loopscope::runtime;

void loopscope::runtime::leaveLongest(Thread *T, Node *N, uint64_t Now) {
  endSpan(T, N, Now);
  calibrateIfDue(links(T), Now);
}
