// nvtx=on: our spans as NVTX ranges, in a domain of their own (the default one
// for tools that know none), so that Nsight Systems and Nsight Compute show
// them. We are a client of NVTX like any other; where no tool is attached,
// nothing is emitted.
//
// Spans are emitted where the timeline notes them (events.h), by their own
// threads, and nest as the spans do.
#pragma once

#include "core/tree.h"

namespace loopscope::runtime {

/// Whether spans are emitted. Constant once a thread has a tree.
extern __attribute__((visibility("hidden"))) bool EmittingNvtx;

/// Attaches to the tool that NVTX_INJECTION64_PATH names, at the first call and
/// if the options want it; says in one line when that fails. On a slow path.
void startEmitting();

/// Emits the beginning or the end of a span of N. A NUMBER is none.
void emitEvent(loopscope_event_type Type, const Node *N);

} // namespace loopscope::runtime
