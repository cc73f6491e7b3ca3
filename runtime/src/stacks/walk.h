// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short stack of the interrupted thread, by frame pointers. In code without
// them the stack ends early or lacks callers, but its entries are always return
// addresses.

#ifndef LOOPSCOPE_STACKS_WALK_H
#define LOOPSCOPE_STACKS_WALK_H

#include <stdint.h>

namespace loopscope::runtime {

/// Writes the innermost frame and its callers, at most MOST; returns how many,
/// 0 if the processor's registers aren't supported. CONTEXT is a signal
/// handler's argument. Reads only valid memory. Callable in a signal handler.
uint32_t walkStack(const void *Context, uint64_t *Frames, uint32_t Most);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_WALK_H
