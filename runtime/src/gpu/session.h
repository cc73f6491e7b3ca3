// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU collection in the process: starts before the first CUDA call, ends at
// exit.

#ifndef LOOPSCOPE_GPU_SESSION_H
#define LOOPSCOPE_GPU_SESSION_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Starts collecting, before main, if the program uses CUDA and gpu= allows it.
/// Prints one line if that fails.
void startGpu();

/// The same while the program runs, if it has loaded something since the last
/// call, or has started CUDA when other tools come first; cheap otherwise. Any
/// thread. Returns the ticks that it took, 0 if it was cheap.
uint64_t lookForCuda();

/// Prints at exit what wasn't worth a message before.
void sayWhyNoGpu();

/// Says once, and keeps in the profile, that something that was asked for is
/// missing, while collection goes on. On the collecting thread.
void noteIncomplete(const char *What);

/// Writes the state of collection to a new profile.
void describeGpu(loopscope_profile_header &Into);

/// Fetches the last records and ends collection; waits a few seconds at most.
void finishGpu();

/// For a forked child: collects anew if the parent hadn't used CUDA and CUPTI
/// allows it, else nothing.
void resetGpuAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_SESSION_H
