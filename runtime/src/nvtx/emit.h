// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvtx=on: our spans as NVTX ranges, in a domain of their own (the default one
// for tools that know none), so that Nsight Systems and Nsight Compute show
// them. We are a client of NVTX like any other; where no tool is attached,
// nothing is emitted.
//
// Spans are emitted when the core reports them, by their own threads, and nest
// as the spans do.

#ifndef LOOPSCOPE_NVTX_EMIT_H
#define LOOPSCOPE_NVTX_EMIT_H

#include "core/tree.h"

namespace loopscope::runtime {

/// Attaches to the tool that NVTX_INJECTION64_PATH names, at the first call and
/// if the options want it; says in one line when that fails. Whether spans are
/// to be emitted. On a slow path.
bool startEmitting();

/// Emits the beginning or the end of a span of N at NOW; as functions of
/// Extension.
uint64_t emitBegin(const Node *N, uint64_t Now);
uint64_t emitEnd(const Node *N, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_EMIT_H
