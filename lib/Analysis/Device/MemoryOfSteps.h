// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each step held of memory, and what it left behind.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_MEMORYOFSTEPS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_MEMORYOFSTEPS_H

#include "Analysis/Steps/TraceSteps.h"
#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A step and a lane of Run::MemoryOverTime. Bytes are of what was held.
struct StepMemory {
  size_t Step = 0; ///< in MemoryOfSteps::Steps
  size_t Lane = 0;
  uint64_t StartBytes = 0;
  uint64_t PeakBytes = 0;
  uint64_t EndBytes = 0;
  uint64_t AllocatedBytes = 0; ///< by operations of any thread
  uint64_t FreedBytes = 0;
  uint64_t UnusedBytes = 0; ///< the most that pools or an allocator kept
  /// What allocated when the peak was reached: a profile's phase, a trace's
  /// operator or range. Empty if that isn't known, or was before the step.
  std::string PeakIn;
};

/// A lane that held no less at the end of each of the last steps than at the
/// end of the step before, and more at the end of several.
struct MemoryGrowth {
  size_t Lane = 0;
  size_t Steps = 0;   ///< the last ones
  uint64_t Bytes = 0; ///< by which it grew since the end of the step before
};

/// What the steps of a run say of its memory.
struct MemoryOfSteps {
  /// Profiles were merged, so there is neither memory nor steps.
  bool IsMerged = false;
  /// In order of time. Those of training, warm-up included; without training,
  /// all.
  std::vector<std::string> Steps;
  std::vector<std::string> Lanes; ///< "GPU 0", "GPU 0, managed", "host"
  std::vector<StepMemory> Rows;   ///< by step, then by lane
  size_t Unknown = 0; ///< steps before a lane's first known change, left out
  std::vector<MemoryGrowth> Growths; ///< at most one per lane
};

/// The steps of \p R, whose analysis is \p Steps.
MemoryOfSteps memoryOfSteps(const Run &R, const StepAnalysis &Steps);

/// The most that \p Of held in each stretch of time, up to its end in \p Ends,
/// which ascend; not a number where it isn't known.
std::vector<double> heldUpTo(const MemoryLane &Of,
                             const std::vector<int64_t> &Ends);

/// Where the times of \p R's events begin: a trace's at its first one.
int64_t timesBeginAt(const Run &R);

/// "GPU 0", or "GPU 0, managed".
std::string laneName(const MemoryLane &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_MEMORYOFSTEPS_H
