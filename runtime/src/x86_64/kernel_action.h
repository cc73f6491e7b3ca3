// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal's action as the kernel takes it. One of several files of this name;
// the build selects one by its include path.

#ifndef LOOPSCOPE_X86_64_KERNEL_ACTION_H
#define LOOPSCOPE_X86_64_KERNEL_ACTION_H

#include <signal.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The argument of rt_sigaction; libc's struct has another layout.
struct KernelAction {
  void (*Handler)(int, siginfo_t *, void *); ///< or SIG_DFL, SIG_IGN
  unsigned long Flags;
  void (*Return)(); ///< where the handler returns to
  uint64_t Mask;
};

/// Fills in what the kernel needs to end the handler.
void setReturn(KernelAction &Action);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_X86_64_KERNEL_ACTION_H
