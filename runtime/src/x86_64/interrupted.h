// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a signal interrupted a thread. One of several files of this name; the
// build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_INTERRUPTED_H
#define LOOPSCOPE_X86_64_INTERRUPTED_H

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
  const auto &Registers =
      static_cast<const ucontext_t *>(Context)->uc_mcontext.gregs;
  Result.Instruction = static_cast<uintptr_t>(Registers[REG_RIP]);
  Result.Stack = static_cast<uintptr_t>(Registers[REG_RSP]);
  Result.Frame = static_cast<uintptr_t>(Registers[REG_RBP]);
  return true;
}

/// A return address from the stack, which may have more in it on other
/// processors.
inline uintptr_t plainAddress(uintptr_t ReturnAddress) { return ReturnAddress; }

/// Bytes before a return address that followsCall() reads.
constexpr uintptr_t LongestCall = 7;

/// Whether the instruction before RETURN_ADDRESS is a call.
__attribute__((no_sanitize("address"))) inline bool
followsCall(uintptr_t ReturnAddress) {
  const auto *Code = reinterpret_cast<const uint8_t *>(ReturnAddress);
  if (Code[-5] == 0xe8)
    return true;
  // FF /2, followed by an address of 0 to 5 bytes.
  constexpr int Lengths[] = {2, 3, 4, 6, 7};
  for (int Length : Lengths)
    if (Code[-Length] == 0xff && (Code[-Length + 1] & 0x38) == 0x10)
      return true;
  return false;
}

/// When a handler starts, its return address lies at the stack pointer, and the
/// context of what it interrupts above.
constexpr uintptr_t HandlerReturnBytes = sizeof(uintptr_t);
/// Bytes at a return address that endsHandler() reads.
constexpr uintptr_t HandlerEndBytes = 9;

/// Whether the code at RETURN_ADDRESS is where signals' handlers return to.
__attribute__((no_sanitize("address"))) inline bool
endsHandler(uintptr_t ReturnAddress) {
  // movq $15 (rt_sigreturn), %rax; syscall
  constexpr uint8_t Wanted[HandlerEndBytes] = {0x48, 0xc7, 0xc0, 15,  0,
                                               0,    0,    0x0f, 0x05};
  const auto *Code = reinterpret_cast<const uint8_t *>(ReturnAddress);
  for (uintptr_t I = 0; I < HandlerEndBytes; ++I)
    if (Code[I] != Wanted[I])
      return false;
  return true;
}

/// The numbers of registers in frame tables.
struct FrameRegisters {
  static constexpr uint64_t Frame = 6;
  static constexpr uint64_t Stack = 7;
  static constexpr uint64_t Return = 16;
};
/// Whether frame tables lead to callers: a call pushes the return address.
constexpr bool HasFrameTables = true;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_INTERRUPTED_H
