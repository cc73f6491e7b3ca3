// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that a program starts again and again, as for each batch, do a part
// of the work of the loop that starts them. Their calls become calls of the
// place where they start, so that loops around that are seen to take their
// time.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_STARTEDTHREADS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_STARTEDTHREADS_H

#include "Analysis/Samples/SampledCalls.h"

#include <vector>

namespace loopscope {

/// Moves the calls of the kind of thread of which most were started, if they
/// were many, to the place that starts most, and leaves out that kind's group.
/// Does nothing without samples of a start: starting those of a pool once takes
/// too short a time for them.
void joinStartedThreads(std::vector<ThreadGroup> &Groups);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_STARTEDTHREADS_H
