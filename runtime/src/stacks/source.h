// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sends a thread a signal while it uses a processor.
//
//   a timer        on the thread's processor time: looked at by the kernel at
//                  its ticks alone, which come anyway, so that a sample costs
//                  no more than a signal
//   a perf event   for more samples than there are ticks, and where ticks
//                  mislead: at intervals that vary, so that no loop is in
//                  step with it; where the kernel allows it. Its interrupt
//                  costs several times the signal, in a virtual machine ten
//                  times

#ifndef LOOPSCOPE_STACKS_SOURCE_H
#define LOOPSCOPE_STACKS_SOURCE_H

#include <stdint.h>

namespace loopscope::runtime {

/// What a source does.
struct SourceSettings {
  uint64_t IntervalNs; ///< of processor time, on average
  int Signal;
  void *Token; ///< si_value of a timer's signals
};

/// One thread's; one of the two is there.
struct SampleSource {
  int Timer = -1;
  int File = -1;     ///< of a perf event
  uint64_t Id = 0;   ///< the event's: the program may have closed the file
  bool User = false; ///< the event doesn't see the kernel's part
};

/// When a thread's source is a perf event.
enum class EventUse { Never, WhereNeeded, Always };

/// Starts the source of thread TID: the cheapest that comes as often as BY
/// says and that EVENTS allows, else the one that there is. False: ERROR says
/// why there is none, 0 that the thread has ended. An event comes from its
/// first resumeEvent() on.
bool startSource(SampleSource &Source, int Tid, const SourceSettings &By,
                 EventUse Events, int &Error);

/// Whether ticks brought SAMPLES of so much processor time that there should be
/// WANTED, which is too far apart. A processor that several threads share
/// changes between them at its ticks, and whenever one waits or calls the
/// kernel: what a thread does before then has fewer ticks than its share, and
/// its functions have fewer samples. What begins at a tick has more.
bool doTicksMislead(uint64_t Samples, uint64_t Wanted);

/// Ends it. The file of an event that isn't ours any more is left alone.
void stopSource(SampleSource &Source);

/// Whether a source's file is still its event's; true for a timer.
bool isIntact(const SampleSource &Source);

/// Lets the event of FILE come once more, after a random time of INTERVAL_NS on
/// average. In its signal's handler, too.
void resumeEvent(int File, uint64_t IntervalNs);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_SOURCE_H
