// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short stack of the interrupted thread: by frame pointers, as far as there
// are any. Where code keeps none, the stack ends early, or callers are left out
// of it; what it has are return addresses.

#ifndef LOOPSCOPE_STACKS_WALK_H
#define LOOPSCOPE_STACKS_WALK_H

#include <stdint.h>

namespace loopscope::runtime {

/// Writes the innermost frame and its callers, MOST at most; gives how many,
/// 0 where the processor's registers aren't known. CONTEXT is what a signal
/// handler gets. Reads no memory that isn't there. In a signal handler.
uint32_t walkStack(const void *Context, uint64_t *Frames, uint32_t Most);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_WALK_H
