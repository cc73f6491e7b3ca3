// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libloopscope-run.so: the runtime for programs that weren't built with it. It
// samples stacks, and records MPI, NCCL, CUDA and LibTorch's operators.

#include "process/program.h"

const char *loopscope::runtime::preloadedOptions() {
  return "stacks,operators=top";
}
