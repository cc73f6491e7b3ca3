// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libloopscope-nvtx.so: the runtime as a library that NVTX_INJECTION64_PATH can
// name. NVTX's headers before 3.2, and libraries that were built with them,
// look for a tool nowhere else. In a program that has the runtime itself,
// ranges go to that one; in any other, this is the runtime, and the program's
// ranges are its phases.

#include "read.h"

using namespace loopscope::runtime;

extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(nvtx::GetExportTable GetTable) { // NOLINT: its name
  return attachToRuntime(GetTable);
}
