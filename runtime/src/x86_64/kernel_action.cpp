// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends a signal's handler.

#include "kernel_action.h"

using namespace loopscope::runtime;

// Unwinders and debuggers recognise a handler's frame by these very bytes, if
// no unwind table covers them or the byte before.
__asm__(".text\n\t"
        ".balign 16\n\t"
        "nop\n\t"
        ".globl loopscope_signal_return_\n\t"
        ".hidden loopscope_signal_return_\n\t"
        ".type loopscope_signal_return_, @function\n"
        "loopscope_signal_return_:\n\t"
        "movq $15, %rax\n\t" // rt_sigreturn
        "syscall\n\t"
        ".size loopscope_signal_return_, .-loopscope_signal_return_");
extern "C" void loopscope_signal_return_();

void loopscope::runtime::setReturn(KernelAction &Action) {
  constexpr unsigned long HasReturn = 0x04000000; // SA_RESTORER
  Action.Flags |= HasReturn;
  Action.Return = loopscope_signal_return_;
}
