// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU collection in the process: started before the first CUDA call, ended at
// exit.

#ifndef LOOPSCOPE_GPU_SESSION_H
#define LOOPSCOPE_GPU_SESSION_H

#include "core/system.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Starts collecting where the program uses CUDA and gpu= allows it, before
/// main. Says in one line when it fails.
void startGpu();

/// The same while the program runs, where it has loaded something since the
/// last call, or started CUDA where other tools come first; cheap otherwise.
/// Any thread. Gives the ticks that it took, 0 where it was cheap.
uint64_t lookForCuda();

/// Says at exit what has not been worth a word before.
void sayWhyNoGpu();

/// Writes the state of collection into a new profile.
void describeGpu(loopscope_profile_header &Into);

/// Gets the last records and ends collection; waits a few seconds at most.
void finishGpu();

/// For a forked child: CUDA and CUPTI can't be used in it.
void resetGpuAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_SESSION_H
