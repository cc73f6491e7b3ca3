// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed between two sides of runs, action by action: the arithmetic of
// `loopscope diff`.

#ifndef LOOPSCOPE_ANALYSIS_DIFF_H
#define LOOPSCOPE_ANALYSIS_DIFF_H

#include "Run/Run.h"
#include "Run/Stages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// An action on one side.
struct DiffSide {
  std::vector<double> RunMeansNs; ///< of the runs that have it
  double MeanNs = 0;              ///< of the runs' means; 0 without runs
  double TotalNs = 0;             ///< mean over all runs of the side
  double GpuNs = 0;               ///< GPU time, mean over all runs of the side
  CpuSums Cpu;                    ///< of all runs
  int64_t CountedNs = 0;          ///< wall time that Cpu should be of
  Moments Spans;                  ///< of all runs
};

/// Whether the difference of two means is more than chance: Welch's t, and the
/// value that it reaches by chance in 5 % of cases.
struct WelchTest {
  double T = 0;
  double Critical = 0;
  bool isSignificant() const { return T >= Critical || T <= -Critical; }
};

/// One action on both sides.
struct ActionChange {
  std::string Name;
  DiffSide Before, After;
  std::optional<WelchTest> Test; ///< none with too little to go by

  double totalNs() const { return After.TotalNs - Before.TotalNs; }
  /// Of the mean; none where a side doesn't have the action.
  std::optional<double> percent() const;
};

/// One stage on both sides.
struct StageChange {
  Stage Of;
  double WallBeforeNs = 0; ///< mean over runs; 0 where the side lacks it
  double WallAfterNs = 0;
  bool HasGpu = false;     ///< a run of either side has GPU data
  uint64_t RunsBefore = 0; ///< of the side, those without the stage too
  uint64_t RunsAfter = 0;
  std::vector<ActionChange> Actions; ///< largest change of total time first
};

/// Which values a test compares.
enum class DiffTest {
  Spans, ///< durations of spans, all runs of a side together
  Runs   ///< the means of runs, each run one value
};

/// Welch's test of two means with these variances, each from COUNT values. None
/// without any spread.
std::optional<WelchTest> welchTest(double MeanA, double VarianceA,
                                   uint64_t CountA, double MeanB,
                                   double VarianceB, uint64_t CountB);

/// All stages of both sides; neither is empty.
std::vector<StageChange> compareRuns(const std::vector<Run> &Before,
                                     const std::vector<Run> &After,
                                     DiffTest By);

/// The action whose mean grew most, significantly; null without.
const ActionChange *worstSlowdown(const std::vector<StageChange> &Stages);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DIFF_H
