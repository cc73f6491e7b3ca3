// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run's history (loopscope/profile_format_history.h), made by the
// background thread:
//
//   new call paths -> lanes.h: which are followed, what they grew by
//   the sampler's values ----> extension.cpp: a look at all of them
//                                -> bins.h: the bins in the profile
//
// Hooks do nothing for it except at a call path's first visit.

#ifndef LOOPSCOPE_HISTORY_EXTENSION_H
#define LOOPSCOPE_HISTORY_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension HistoryExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_HISTORY_EXTENSION_H
