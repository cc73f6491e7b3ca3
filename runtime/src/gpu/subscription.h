// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subscription to CUPTI's callbacks: which calls they follow, and what a
// forked child does with its parent's.

#ifndef LOOPSCOPE_GPU_SUBSCRIPTION_H
#define LOOPSCOPE_GPU_SUBSCRIPTION_H

#include "reason.h"
#include "session_state.h"

namespace loopscope::runtime {

/// Subscribes to the calls and resources that S follows, whose CUPTI is loaded.
/// Starts neither CUDA nor a thread of ours. False: WHY says why not.
bool subscribe(GpuSession &S, Reason &Why);

/// Whether a child can end the subscription S of its parent, made before the
/// parent used CUDA, and then subscribe as if CUPTI were new. CUPTI 12.6 and
/// 13.0 can, on an H100; with 13.5 the child hangs.
bool mayEndInherited(const GpuSession &S);

/// Ends it. CUPTI's thread isn't in the child, so that otherwise no record
/// comes and a flush never returns. Call before the child uses CUDA.
void endInherited(const GpuSession &S);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_SUBSCRIPTION_H
