// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvtx=read: the program's NVTX push/pop ranges become spans. The runtime is
// then an NVTX tool, linked into the program: the NVTX headers (3.2 and newer)
// look for one under the name InitializeInjectionNvtx2_fnptr when no
// NVTX_INJECTION64_PATH names a library. For older headers that variable has to
// name libloopscope-nvtx.so (injection.cpp). Without nvtx=read the tool refuses
// the client, which then behaves as without a tool.
//
// A range of a domain is called "DOMAIN:RANGE". Each domain has its own stack
// per thread; a pop also ends ranges of other domains that were pushed later,
// because spans nest. Start/end ranges need not nest or stay on a thread, so
// they aren't spans (free_ranges.h). Marks aren't ranges and are ignored.

#ifndef LOOPSCOPE_NVTX_READ_H
#define LOOPSCOPE_NVTX_READ_H

#include "abi.h"

namespace loopscope::runtime {

/// This extension's name, which copies of the runtime use to find each other's
/// entry point.
constexpr const char *NvtxExtensionName = "nvtx";

/// Fills in a client's tables; returns 1 if it accepts the client. The
/// extension's entry point.
int attachNvtxClient(nvtx::GetExportTable GetTable);

/// The same, for the process's runtime, which may be another copy.
int attachToRuntime(nvtx::GetExportTable GetTable);

/// Prints, at start-up, what prevents nvtx=read.
void startReadingNvtx();

/// For a forked child: no ranges are open.
void resetNvtxAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_READ_H
