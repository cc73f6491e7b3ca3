// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends a thread a signal while it uses a processor.
//
//   a timer        on the thread's processor time. The kernel checks it only at
//                  its ticks, which come anyway, so that a sample costs no
//                  more than a signal
//   a perf event   for more samples than ticks, and if ticks mislead: at random
//                  times, so that no loop runs in step with it; only if the
//                  kernel allows it, and not in the kernel's own code. Its
//                  interrupt costs several times the signal, in a virtual
//                  machine ten times

#ifndef LOOPSCOPE_STACKS_SOURCE_H
#define LOOPSCOPE_STACKS_SOURCE_H

#include <stdint.h>
#include <time.h>

namespace loopscope::runtime {

/// Settings of a source.
struct SourceSettings {
  uint64_t IntervalNs; ///< of processor time, on average
  int Signal;
  void *Token; ///< si_value of the timer's signals
};

/// One thread's source; one of the two is set.
struct SampleSource {
  int Timer = -1;
  int File = -1;   ///< of a perf event
  uint64_t Id = 0; ///< the event's id: the program may have closed the file
};

/// When a thread's source is a perf event. Only: it has no other one.
enum class EventUse { Never, WhereNeeded, Always, Only };

/// The clock of a thread's processor time, in the kernel's numbering.
clockid_t threadClock(int Tid);

/// Whether the user's queue of signals is at most half full. In place of an
/// event's signal that finds it full, the kernel sends SIGIO, which would end
/// the program.
bool isRoomForSignals();

/// Starts the source of thread TID: the cheapest that fires as often as BY says
/// and that EVENTS allows, otherwise whatever is available. False: ERROR says
/// why there is none; 0 means that the thread has ended. An event fires only
/// after resumeEvent().
bool startSource(SampleSource &Source, int Tid, const SourceSettings &By,
                 EventUse Events, int &Error);

/// Whether SAMPLES ticks are too far from WANTED, the number expected for the
/// processor time. When several threads share a processor, it switches at
/// ticks, and whenever one waits or calls the kernel: code that a thread runs
/// before such a switch gets fewer ticks, and its functions fewer samples, than
/// it should. Code that starts at a tick gets more.
bool doTicksMislead(uint64_t Samples, uint64_t Wanted);

/// Ends it. A file that isn't our event any more is left alone. False: the
/// kernel refused, so that signals may still come.
bool stopSource(SampleSource &Source);

/// The same in a forked child, whose file is a copy: the parent's event goes
/// on.
void dropSource(SampleSource &Source);

/// Whether the file is still the event's; true for a timer.
bool isIntact(const SampleSource &Source);

/// The time between two of the kernel's ticks; 0 if unknown.
uint64_t tickNs();

/// A random time of INTERVAL_NS on average, drawn by READING, a reading of the
/// clock. Like times between independent events, it has nearly no memory, so
/// that a loop of any period has its shares, with the spread of independent
/// samples.
uint64_t randomInterval(uint64_t IntervalNs, uint64_t Reading);

/// Lets the event of FILE fire once more, after such a time. Callable in its
/// signal handler.
void resumeEvent(int File, uint64_t IntervalNs);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_SOURCE_H
