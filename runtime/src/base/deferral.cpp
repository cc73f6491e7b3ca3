// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts deferrals, and touches the stack.

#include "deferral.h"

#include "signal_mask.h"
#include "thread_memory.h"

#include <stddef.h>

using namespace loopscope::runtime;

namespace {
// The least that the deepest function of a slow path needs, measured by
// -fstack-usage with room to spare. A smallest stack (16 KiB) has both.
constexpr size_t StackOfSlowPath = 6 << 10;
constexpr size_t StackOfProfile = 11 << 10;

template <size_t Size> __attribute__((noinline)) void touch() {
  volatile char Room[Size];
  Room[0] = 0;
  (void)Room[0];
}
} // namespace

// The count changes while signals are blocked, so a handler never sees a count
// without a blocked mask. Without memory nothing is deferred.
void loopscope::runtime::beginDeferral() {
  ThreadMemory *Memory = ownMemory();
  if (Memory == nullptr)
    return;
  if (Memory->Deferrals == 0)
    Memory->MaskBefore = blockSignals();
  ++Memory->Deferrals;
}

void loopscope::runtime::endDeferral() {
  ThreadMemory *Memory = ThisThread.Memory;
  if (Memory->Deferrals == 0)
    return;
  --Memory->Deferrals;
  if (Memory->Deferrals == 0)
    restoreSignals(Memory->MaskBefore);
}

Deferral::Deferral() { beginDeferral(); }
Deferral::~Deferral() { endDeferral(); }

void loopscope::runtime::neverInterrupted() {
  if (ThreadMemory *Memory = ownMemory())
    ++Memory->Deferrals;
}

void loopscope::runtime::reserveStack() { touch<StackOfSlowPath>(); }
void loopscope::runtime::reserveStackForProfile() { touch<StackOfProfile>(); }
