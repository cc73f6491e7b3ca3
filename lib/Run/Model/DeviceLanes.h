// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of a trace: the spans of threads, which its tree gives
// (CallTree.h), and the work of devices.

#ifndef LOOPSCOPE_RUN_MODEL_DEVICELANES_H
#define LOOPSCOPE_RUN_MODEL_DEVICELANES_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Fills in Run::Timeline, and the devices and events of Run::Gpu, of \p To, a
/// trace, from its events, with its tree. Times are since the first event. A
/// run that has a timeline keeps it.
void addTimeline(Run &To);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_DEVICELANES_H
