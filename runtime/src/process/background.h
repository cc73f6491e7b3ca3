// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The background thread: the runtime's own thread, on which extensions do what
// hooks can't. It runs rounds at a fixed interval, and extra work between them
// when called.
//
// It touches only the profile and the extensions' data, nothing of the program.
// It blocks all signals, so none is delivered to it, and sleeps in a futex.

#ifndef LOOPSCOPE_PROCESS_BACKGROUND_H
#define LOOPSCOPE_PROCESS_BACKGROUND_H

#include <stdint.h>

namespace loopscope::runtime {

/// Starts the thread, once per profile, if the options want it. If that fails,
/// the profile says why. Call on a slow path, without the slow lock.
void startBackground();

/// Creates a thread of the runtime that runs FUNCTION: detached, with all
/// signals blocked, without the program's priority. Returns 0 or an error
/// number.
int createOwnThread(void *(*Function)(void *));

/// The function that makes the program fail if there is a second thread, which
/// therefore must not be started; null: there is none, or the user wants it all
/// the same.
const char *forbidsThread();

/// Wakes the thread to run the extensions' Called(). Ignored while it is busy
/// (call again then) and without a thread. Callable on any thread.
void callBackground();

/// Stops it for good, and waits up to a tenth of a second until it has let go
/// of the profile and the extensions' data.
void stopBackground();

/// Like stopBackground() without waiting.
void tellBackgroundToStop();

/// Call on that thread when the program's main thread has ended. CODE, its exit
/// code, becomes that of a process whose last thread is ours.
void endBackgroundWith(int Code);

/// The background thread's own processor time in nanoseconds, without the work
/// that it was called for. Call on that thread.
uint64_t roundsCpuNs();

/// Sets WHAT as the profile's note on why samples are missing. Takes the slow
/// lock.
void noteMissingSamples(const char *What);

/// For a forked child, which has no such thread.
void resetBackground();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_BACKGROUND_H
