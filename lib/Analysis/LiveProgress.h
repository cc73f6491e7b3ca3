// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a run has got, from readings of its profile while it is written.

#ifndef LOOPSCOPE_ANALYSIS_LIVEPROGRESS_H
#define LOOPSCOPE_ANALYSIS_LIVEPROGRESS_H

#include "Run/Run.h"

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

/// How far a run has got, summed over its training loops, or over its
/// validation loops when there is no other.
struct Progress {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  int64_t StepNs = 0;
  int64_t DrawNs = 0;
  CpuSums Cpu;
  int64_t WallNs = 0;
  LoopLength Length;
};

/// How many steps the training loops of P have in all, or its validation loops
/// if IS_VALID, as iterations() says: the executions of a loop so far, and one
/// more in each epoch that is to come, as long as their mean. Not known unless
/// the program says it of every such loop and of the one loop over epochs
/// around it, each epoch comes to the loop once, and that is all that can be.
/// Nor where a window leaves steps out, or there have been more.
LoopLength lengthOf(const Run &P, bool IsValid);

/// Adds up P's steps, the open one not included.
Progress progressOf(const Run &P);

/// The readings of one run, the last of them.
class ProgressHistory {
public:
  /// Adds a reading. Without a step since the one before, only the time counts.
  void add(const Progress &Now);

  /// The last reading, and the one before; zeros before there are any.
  const Progress &now() const { return Last; }
  const Progress &earlier() const { return Before; }

  /// The mean step time between readings that saw steps, the latest last, of
  /// the last 40. Nanoseconds.
  const std::vector<double> &stepTimes() const { return Times; }

  /// How long the run still takes for STEPS steps in all, at the pace of the
  /// readings that are kept, validation included: nanoseconds. None before two
  /// readings differ.
  std::optional<double> leftNs(uint64_t Steps) const;

private:
  Progress Last;
  Progress Before;
  std::deque<Progress> Kept; ///< readings that saw steps
  std::vector<double> Times;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_LIVEPROGRESS_H
