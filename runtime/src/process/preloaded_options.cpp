// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a program that was built with the runtime, nothing was preloaded.

#include "program.h"

// Weak, so that a library can have its own.
__attribute__((weak)) const char *loopscope::runtime::preloadedOptions() {
  return nullptr;
}
