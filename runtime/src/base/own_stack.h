// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack that the system gave a thread, as opposed to stacks that the
// program makes for signal handlers and fibres.

#ifndef LOOPSCOPE_BASE_OWN_STACK_H
#define LOOPSCOPE_BASE_OWN_STACK_H

#include <stdint.h>

namespace loopscope::runtime {

/// Addresses from Low up to High; none if both are 0.
struct StackRange {
  uintptr_t Low;
  uintptr_t High;
  bool has(uintptr_t At) const { return At >= Low && At < High; }
  /// The address in the last 4 GiB below High whose low half is MARK.
  uintptr_t addressOf(uint32_t Mark) const;
};

/// The calling thread's; IS_MAIN: it is the main thread. Empty if unknown. The
/// first call on another thread reads /proc/self/maps.
StackRange ownStack(bool IsMain);

/// Whether FRAME, an address on the calling thread's stack, belongs to a
/// function that a jump has left; IS_MAIN: this is the main thread.
bool isFrameLeft(const void *Frame, bool IsMain);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OWN_STACK_H
