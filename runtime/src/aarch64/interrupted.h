// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a signal interrupted a thread. One of several files of this name; the
// build selects one by its include path.
//
// A function that calls nothing stores no frame record: its caller's address is
// in a register only, and the chain of frames skips that caller. The register
// may as well be left over from an earlier call, so it isn't used.

#ifndef LOOPSCOPE_AARCH64_INTERRUPTED_H
#define LOOPSCOPE_AARCH64_INTERRUPTED_H

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
inline bool readInterrupted(const void *Context, Interrupted &Result) {
  const auto &Registers = static_cast<const ucontext_t *>(Context)->uc_mcontext;
  constexpr int FramePointer = 29;
  Result.Instruction = Registers.pc;
  Result.Stack = Registers.sp;
  Result.Frame = Registers.regs[FramePointer];
  return true;
}

/// A return address from the stack without the signature that code of
/// -mbranch-protection puts into its upper bits. Does nothing on processors
/// without signatures.
inline uintptr_t plainAddress(uintptr_t ReturnAddress) {
  register uintptr_t Link __asm__("x30") = ReturnAddress;
  asm("hint #7" : "+r"(Link)); // xpaclri
  return Link;
}

/// Bytes before a return address that followsCall() reads.
constexpr uintptr_t LongestCall = 4;

/// Whether the instruction before RETURN_ADDRESS is a call.
__attribute__((no_sanitize("address"))) inline bool
followsCall(uintptr_t ReturnAddress) {
  if (ReturnAddress % LongestCall != 0)
    return false;
  uint32_t Before = reinterpret_cast<const uint32_t *>(ReturnAddress)[-1];
  return Before >> 26U == 0x25 ||                // bl
         (Before & 0xfffffc1fU) == 0xd63f0000 || // blr
         (Before & 0xfefff800U) == 0xd63f0800;   // blraa, blrab and so on
}

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

#endif // LOOPSCOPE_AARCH64_INTERRUPTED_H
