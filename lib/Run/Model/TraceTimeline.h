// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of a trace: its host calls as spans of threads, its device work
// as the GPU events of a profile.

#ifndef LOOPSCOPE_RUN_MODEL_TRACETIMELINE_H
#define LOOPSCOPE_RUN_MODEL_TRACETIMELINE_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Fills in Run::Timeline, and the devices and events of Run::Gpu, of \p To, a
/// trace, from its events; builds its tree first if there is none. Times are
/// since the first event. A run that has a timeline keeps it.
void addTimeline(Run &To);

/// The host calls of \p Of, a trace, alone, as Run::Timeline would have them.
/// Builds its tree first if there is none.
std::vector<std::vector<TimelineSpan>> hostSpans(Run &Of);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_TRACETIMELINE_H
