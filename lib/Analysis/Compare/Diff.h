// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed between two sides of runs, action by action: the arithmetic of
// `loopscope diff`.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_DIFF_H
#define LOOPSCOPE_ANALYSIS_COMPARE_DIFF_H

#include "Analysis/Thresholds.h"
#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// An action on one side.
struct DiffSide {
  std::vector<double> RunMeansNs; ///< of the runs that have it, in order
  bool IsInAllRuns = false;
  double MeanNs = 0;     ///< of the runs' means; 0 without runs
  double TotalNs = 0;    ///< mean over all runs of the side
  double GpuNs = 0;      ///< GPU time, mean over all runs of the side
  CpuSums Cpu;           ///< of all runs
  int64_t CountedNs = 0; ///< wall time that Cpu should be of
  Moments Spans;         ///< of all runs
};

/// A test of whether a mean changed. Test and interval are one method: the
/// interval is without 0 exactly if Probability is below 5 %, and both are of
/// the means that are given here.
struct MeanTest {
  double Before = 0; ///< the means that are compared
  double After = 0;
  double T = 0;
  double Probability = 1; ///< that chance alone causes as large a change
  double Percent = 0;     ///< the change, of the mean before
  /// The 95 % confidence interval of the change, in percent of the mean before:
  /// from -100 on; the upper end is infinite if the mean before may be 0.
  double LowPercent = 0;
  double HighPercent = 0;
  /// Probability, corrected for all actions that are judged together.
  double Corrected = 1;

  bool isSignificant() const;
};

/// One action on both sides.
struct ActionChange {
  std::string Name;
  DiffSide Before, After;
  /// The action's share of its stage's time, on the side where that is larger.
  double Share = 0;
  bool IsSmall = false;         ///< too small a part to be judged
  std::optional<MeanTest> Test; ///< none if there is too little data

  /// Whether the change is judged and unlikely to be chance.
  bool isSignificant() const {
    return Test && !IsSmall && Test->isSignificant();
  }

  /// The means before and after of which the change is: those that the test
  /// compares, if there is one.
  double beforeNs() const { return Test ? Test->Before : Before.MeanNs; }
  double afterNs() const { return Test ? Test->After : After.MeanNs; }
  double totalNs() const { return After.TotalNs - Before.TotalNs; }
  /// The change of the mean, from the test if there is one; none if a side
  /// lacks the action.
  std::optional<double> percent() const;
};

/// One stage on both sides.
struct StageChange {
  Stage Of;
  double WallBeforeNs = 0; ///< mean over runs; 0 where the side lacks it
  double WallAfterNs = 0;
  bool HasGpuBefore = false; ///< all runs of the side have GPU data
  bool HasGpuAfter = false;
  uint64_t RunsBefore = 0; ///< of the side, those without the stage too
  uint64_t RunsAfter = 0;
  std::vector<ActionChange> Actions; ///< largest change of total time first

  bool hasGpu() const { return HasGpuBefore || HasGpuAfter; }
};

/// Which values a test compares.
enum class DiffTest {
  Spans, ///< durations of spans, all runs of a side together
  Runs,  ///< the means of runs, each run one value
  Pairs  ///< the means of runs, each run before with the same one after
};

/// How to compare two sides.
struct DiffMethod {
  DiffTest By = DiffTest::Spans;
  double LeastShare = LeastDiffShare; ///< of a stage; actions below are small
};

/// A mean, with what is needed to judge its spread.
struct SampleMean {
  double Mean = 0;
  double Variance = 0; ///< of the sample
  uint64_t Count = 0;  ///< two at least
};

/// Welch's test of two means, and Fieller's interval of their ratio with the
/// same degrees of freedom: all ratios r for which After - r Before passes the
/// test (Fieller, Some problems in interval estimation, 1954). It doesn't need
/// a small spread, as the rule for quotients does. None if neither has any
/// spread. Values are independent; with few values of very skewed samples, the
/// interval holds the truth less often than it says.
std::optional<MeanTest> welchTest(const SampleMean &Before,
                                  const SampleMean &After);

/// A test of pairs: each value before is paired with the one after of the same
/// index, at least two pairs. What both members of a pair have in common
/// doesn't count, because logarithms are compared: the means are geometric. Nor
/// do single pairs that are far off: with five or more, a fifth is trimmed from
/// the means at either end, by the pairs' ratios (Yuen's trimmed t). None if
/// there is no spread, or if a value isn't positive.
std::optional<MeanTest> pairTest(const std::vector<double> &Before,
                                 const std::vector<double> &After);

/// Adds the spans of one of a side's \p Runs, and their total time.
void addRun(const Moments &Spans, double TotalNs, size_t Runs, DiffSide &To);

/// With fewer spans on a side, histograms are too coarse to compare.
inline constexpr uint64_t LeastSpans = 30;

/// The test of the means of one action; none if there is too little data.
std::optional<MeanTest> testMeans(const DiffSide &Before, const DiffSide &After,
                                  DiffTest By);

/// Corrects \p Tests, which are made together.
void correctTogether(const std::vector<MeanTest *> &Tests);

/// A change in percent, with three significant digits and two decimals at most:
/// "+6.15%"; infinity is "no limit".
std::string changeText(double Percent);

/// All stages of both sides, neither of which is empty.
std::vector<StageChange> compareRuns(const std::vector<Run> &Before,
                                     const std::vector<Run> &After,
                                     const DiffMethod &How);

/// The geometric mean of the factors by which the means of the judged actions
/// changed; none if nothing was judged.
std::optional<double> geometricMean(const StageChange &Of);

/// The action whose mean grew most among those that grew significantly; null if
/// there is none.
const ActionChange *worstSlowdown(const std::vector<StageChange> &Stages);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_DIFF_H
