// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a source (source.h), which sends it a signal while it uses a
// processor. The handler notes where the thread is.
//
// The signal is one that nothing happens by where nobody handles it: SIGURG, or
// SIGWINCH where the program handles the first. A program that sets its own
// mind on it later, or resets every signal, isn't harmed by one that comes.
// Threads of the process are found in /proc/self/task; a thread with hooks gets
// its source when it starts.

#ifndef LOOPSCOPE_STACKS_TIMERS_H
#define LOOPSCOPE_STACKS_TIMERS_H

#include <stdint.h>

namespace loopscope::runtime {

/// Samples a second of processor time; 0: none. Written by the parser of
/// LOOPSCOPE=.
extern uint32_t StacksHz;

/// Registers what is counted, before there is a profile.
void registerTimers();

/// Takes the signal, before the first timer; says so where the program handles
/// both. There are no timers before.
void takeSignal();

/// Samples the calling thread, or ends that.
void sampleThread();
void letGoOfThread();

/// Samples threads that have come since the last call, and lets go of those
/// that have ended. Stops for good where the program has taken the signal.
/// Nothing while another thread is at it.
void updateThreads();

/// Stops all timers for good.
void stopTimers();

/// For a forked child, which inherits none.
void resetTimers();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_TIMERS_H
