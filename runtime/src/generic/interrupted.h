// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a signal interrupted a thread. One of several files of this name; the
// build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_INTERRUPTED_H
#define LOOPSCOPE_GENERIC_INTERRUPTED_H

#include <stdint.h>
#include <ucontext.h>

namespace loopscope::runtime {

/// Registers of an interrupted thread.
struct Interrupted {
  uintptr_t Instruction;
  uintptr_t Stack;
  uintptr_t Frame; ///< the frame pointer, in code that keeps one
};

/// CONTEXT is a signal handler's argument. False: this processor isn't
/// supported.
inline bool readInterrupted(const void * /*Context*/, Interrupted & /*R*/) {
  return false;
}

/// A return address from the stack, which may have more in it on other
/// processors.
inline uintptr_t plainAddress(uintptr_t ReturnAddress) { return ReturnAddress; }

/// Bytes before a return address that followsCall() reads.
constexpr uintptr_t LongestCall = 4;

/// Whether the instruction before RETURN_ADDRESS is a call; true if unknown.
inline bool followsCall(uintptr_t /*ReturnAddress*/) { return true; }

/// See the other files of this name. Here, handlers' starts aren't recognised.
constexpr uintptr_t HandlerReturnBytes = sizeof(uintptr_t);
constexpr uintptr_t HandlerEndBytes = 1;
inline bool endsHandler(uintptr_t /*ReturnAddress*/) { return false; }

/// See the other files of this name. Here, frame tables aren't used.
struct FrameRegisters {
  static constexpr uint64_t Frame = 29;
  static constexpr uint64_t Stack = 31;
  static constexpr uint64_t Return = 30;
};
constexpr bool HasFrameTables = false;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_INTERRUPTED_H
