// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvtx=read: the push/pop ranges that the program emits by NVTX become spans of
// ours. We are an NVTX tool then, linked into the program: the NVTX headers
// (3.2 and newer) look for one under the name InitializeInjectionNvtx2_fnptr
// when no NVTX_INJECTION64_PATH names a library. For older headers that
// variable has to name libloopscope-nvtx.so (injection.cpp). Without the word
// the tool refuses, which is what the headers do with no tool at all.
//
// A range of a domain is called "DOMAIN:RANGE". Push and pop of each domain are
// a stack of their own in each thread; a pop also ends the ranges of other
// domains that were pushed since, because spans nest. Start/end ranges need not
// nest or stay on a thread, so they are no spans (free_ranges.h). Marks, which
// aren't ranges, are left out.

#ifndef LOOPSCOPE_NVTX_READ_H
#define LOOPSCOPE_NVTX_READ_H

#include "abi.h"

namespace loopscope::runtime {

/// This room's name among the extensions; it stands in copies of the runtime
/// that find each other.
constexpr const char *NvtxExtensionName = "nvtx";

/// Lets the tool fill in a client's tables; 1 when it takes part. The
/// extension's entry point.
int attachNvtxClient(nvtx::GetExportTable GetTable);

/// The same by the process's runtime, wherever that is.
int attachToRuntime(nvtx::GetExportTable GetTable);

/// Says, at start-up, what stands against nvtx=read.
void startReadingNvtx();

/// For a forked child: no ranges are open.
void resetNvtxAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_READ_H
