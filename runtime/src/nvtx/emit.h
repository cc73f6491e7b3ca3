// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvtx=on: our spans as NVTX ranges, in their own domain (the default one for
// tools without domains), so that Nsight Systems and Nsight Compute show them.
// We are an NVTX client like any other; without a tool, nothing is emitted.
//
// Threads emit their spans when the core reports them; the ranges nest like the
// spans.

#ifndef LOOPSCOPE_NVTX_EMIT_H
#define LOOPSCOPE_NVTX_EMIT_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Attaches to the tool named by NVTX_INJECTION64_PATH, at the first call and
/// if the options want it; prints one line if that fails. Returns whether spans
/// are to be emitted. Call on a slow path.
bool startEmitting();

/// Emits the beginning or the end of a span of N at NOW; signatures as in
/// Extension.
uint64_t emitBegin(const Node *N, uint64_t Now);
uint64_t emitEnd(const Node *N, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_EMIT_H
