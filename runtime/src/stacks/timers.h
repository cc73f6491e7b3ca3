// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a source (source.h), which sends it a signal
// (sample_signal.h) while it uses a processor. The handler records where the
// thread is.
//
// The process's threads are listed in /proc/self/task; a thread with hooks gets
// its source when it starts.

#ifndef LOOPSCOPE_STACKS_TIMERS_H
#define LOOPSCOPE_STACKS_TIMERS_H

#include <stdint.h>

namespace loopscope::runtime {

/// Samples per second of processor time; 0: none. Set by the parser of
/// LOOPSCOPE=.
extern uint32_t StacksHz;

/// Registers the counters; call it before there is a profile.
void registerTimers();

/// Installs the signal's handler, before the first timer; prints a line if that
/// fails. Without it there are no timers.
void takeSignal();

/// Starts or stops sampling the calling thread.
void sampleThread();
/// Starts sampling the calling thread, which has just begun and may end soon,
/// unless too many have begun since the last updateThreads().
void sampleNewThread();
void letGoOfThread();

/// Starts sampling threads that are new since the last call, and drops those
/// that have ended. Stops for good if the program has taken the signal. Returns
/// at once if another thread is doing it.
void updateThreads();

/// Stops all timers for good.
void stopTimers();

/// For a forked child, which inherits no timers.
void resetTimers();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TIMERS_H
