// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose hooks were switched off during the run: their calls and times
// are known until then. Samples, if there are any, show what they took of their
// callers' own times afterwards.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SWITCHEDOFF_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SWITCHEDOFF_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <vector>

namespace loopscope {

struct SwitchedOff {
  uint32_t Site = None;
  uint64_t Calls = 0; ///< until then
  int64_t SinceNs = 0;
};

/// All of them, most calls first.
std::vector<SwitchedOff> switchedOff(const Run &R);

/// Processor time of such a function that is part of the own time of NODE.
struct TimeOfSwitchedOff {
  uint32_t Node = None;
  uint32_t Site = None;
  int64_t Ns = 0;
};

/// From samples: for each, the innermost function that has or had a hook. Empty
/// without samples; never more than a node's own time in sum.
std::vector<TimeOfSwitchedOff> timesOfSwitchedOff(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SWITCHEDOFF_H
