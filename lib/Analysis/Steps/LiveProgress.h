// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a run has got, from readings of its profile while it is being
// written.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_LIVEPROGRESS_H
#define LOOPSCOPE_ANALYSIS_STEPS_LIVEPROGRESS_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace loopscope {

/// How many steps there will be.
struct LoopLength {
  uint64_t Steps = 0; ///< 0: not known
  /// Of the one execution of the loop that there has been so far; no marked
  /// loop over epochs is around it.
  bool IsOneLoop = false;
};

/// How far a run has got, summed over its training loops or, without any, over
/// its validation loops.
struct Progress {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  uint64_t Threads = 0; ///< that run the loops at the same time
  int64_t StepNs = 0;   ///< summed over threads, without loops inside steps
  int64_t DrawNs = 0;
  CpuSums Cpu;
  int64_t WallNs = 0;
  LoopLength Length;
};

/// How many steps the training loops of \p R have in all (with \p IsValid, its
/// validation loops), from what the program passed to iterations(): the
/// executions of a loop so far, plus one of average length for each epoch to
/// come. Known only if every such loop and the one loop over epochs around it
/// have a length, each epoch runs the loop once, and no window leaves steps
/// out. Not known either if there have been more steps than that.
LoopLength lengthOf(const Run &R, bool IsValid);

/// Sums up \p R's steps, without the open one.
Progress progressOf(const Run &R);

/// The last readings of one run.
class ProgressHistory {
public:
  /// Adds a reading. If no step has ended since the last one, only its time
  /// counts.
  void add(const Progress &Now);

  /// The last reading and the one before; zeros before there are any.
  const Progress &now() const { return Last; }
  const Progress &earlier() const { return Before; }

  /// The mean step time between consecutive readings that saw steps, oldest
  /// first, for the last 40. Nanoseconds.
  const std::vector<double> &stepTimes() const { return Times; }

  /// How much longer the run takes if it has \p Steps steps in all, at the pace
  /// of the readings kept, validation included: nanoseconds. None until two
  /// readings differ.
  std::optional<double> leftNs(uint64_t Steps) const;

private:
  Progress Last;
  Progress Before;
  std::deque<Progress> Kept; ///< readings that saw steps
  std::vector<double> Times;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_LIVEPROGRESS_H
