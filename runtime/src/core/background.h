// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The background thread: one thread of ours, on which extensions do what can't
// be done in hooks. It has rounds at a fixed interval, and works between them
// when somebody calls it.
//
// It touches the profile and what the extensions read, and nothing of the
// program. It has all signals blocked, so none is delivered to it, and sleeps
// in a futex.

#ifndef LOOPSCOPE_CORE_BACKGROUND_H
#define LOOPSCOPE_CORE_BACKGROUND_H

#include <stdint.h>

namespace loopscope::runtime {

/// Starts the thread, once for each profile, if the options want it. Where that
/// can't be, the profile says why. On a slow path, without the slow lock.
void startBackground();

/// Wakes the thread for the extensions' Called(), unless it is busy: call again
/// then. Nothing without the thread. From any thread.
void callBackground();

/// Stops it for good and waits until it has let go of the profile and of what
/// the extensions use; not longer than a tenth of a second.
void stopBackground();

/// The same without waiting.
void tellBackgroundToStop();

/// The processor time of the calling thread in nanoseconds.
uint64_t threadCpuNs();

/// The background thread's own, without what it did when it was called. On that
/// thread.
uint64_t roundsCpuNs();

/// Makes WHAT the profile's note on why samples are missing. Takes the slow
/// lock.
void noteMissingSamples(const char *What);

/// For a forked child: there is no such thread.
void resetBackground();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_BACKGROUND_H
