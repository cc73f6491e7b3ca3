// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signal that samples threads.
//
// It is the one that libc keeps for itself to change the user of all threads
// (SIGSETXID). Libc's functions neither block it nor set a handler for it, nor
// name it in a set: so it is never pending, no handler of the program gets it,
// and the program can't see ours. Libc's handler ignores signals that its own
// process didn't send, and ours passes on what isn't a sample.
//
// With musl it is the signal that cancels a thread, of which all that is true,
// too: musl's handler ignores it in threads that nobody cancelled.
//
// The handler leaves the thread's mask alone. So nothing is left behind if a
// handler of the program interrupts it and never returns.
//
// Beside another profiler there is one more rule. SIGPROF for the whole process
// comes at the same ticks of the kernel as timers' signals, and is delivered
// after them: the profiler would find each thread at the start of our handler.
// In a program of one thread, SIGPROF therefore waits for the handler's end.
// With several, it would go to another thread; see timers.cpp.

#ifndef LOOPSCOPE_STACKS_SAMPLE_SIGNAL_H
#define LOOPSCOPE_STACKS_SAMPLE_SIGNAL_H

#include <signal.h>

namespace loopscope::runtime {

constexpr int SampleSignal = 33;

using SampleHandler = void (*)(int Signal, siginfo_t *Info, void *Context);

/// Installs HANDLER. Returns 0 or an error number.
int takeSampleSignal(SampleHandler Handler);

/// Whether a SIGPROF timer for the whole process runs.
bool isProfilerRunning();

/// Whether SIGPROF waits for the handler's end.
void deferProfiler(bool Defers);

/// What became of the handler.
enum class SignalState {
  Kept,
  Retaken, ///< libc had set its own, when the first thread started (musl: was
           ///< cancelled); signals meanwhile were ignored
  Lost,    ///< the program has set its own, by a system call
};
SignalState keepSampleSignal();

/// Handles a signal that isn't a sample. Callable in the handler.
void passOnSignal(int Signal, siginfo_t *Info, void *Context);

/// Restores what was there before. If signals MAY_COME still, none of them ends
/// the program: where the default was there before, they are ignored.
void giveBackSampleSignal(bool MayCome);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_SAMPLE_SIGNAL_H
