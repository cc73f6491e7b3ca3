// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that led to where a thread was interrupted.
//
//   by frame tables    in code of loaded objects (frame_rules.h)
//   by a search        if the interrupted code has no table, because it was
//                      compiled at run time: the first word of the stack that
//                      follows a call, and from which the tables lead to the
//                      thread's start
//   by frame pointers  in what is left

#ifndef LOOPSCOPE_STACKS_WALK_H
#define LOOPSCOPE_STACKS_WALK_H

#include <stdint.h>

namespace loopscope::runtime {

/// A stack, the innermost frame first: the interrupted instruction, then return
/// addresses. A recursion's calls are there three times at most.
struct WalkedStack {
  static constexpr uint32_t Most = 192;

  uint32_t Depth = 0;     ///< 0: the processor's registers aren't supported
  bool IsWhole = false;   ///< it reaches the function that nobody called
  bool IsGuessed = false; ///< found by the search: frames may be missing
  bool IsCut = false;     ///< it was too deep: calls in its middle are missing
  uint64_t Frames[Most];
};

/// CONTEXT is a signal handler's argument. Callable in a signal handler. Checks
/// each page once, so an object that another thread unloads in the meantime is
/// a fault.
void walkStack(const void *Context, WalkedStack &Into);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_WALK_H
