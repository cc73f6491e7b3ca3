// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libloopscope-nvtx.so: the runtime as a library for NVTX_INJECTION64_PATH.
// NVTX's headers before 3.2, and libraries built with them, look for a tool
// only there. If the program contains the runtime, ranges go to that one;
// otherwise this is the runtime, and the program's ranges are its phases.

#include "read.h"

using namespace loopscope::runtime;

extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(nvtx::GetExportTable GetTable) { // NOLINT: its name
  return attachToRuntime(GetTable);
}
