// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where on a figure is worth a verdict, a warning or a recommendation.
// docs/report.md has the same numbers, which test/Style/thresholds.test checks.

#ifndef LOOPSCOPE_ANALYSIS_THRESHOLDS_H
#define LOOPSCOPE_ANALYSIS_THRESHOLDS_H

#include <cstdint>

namespace loopscope {

// Of the steps' time, per device.
inline constexpr double ComputeBound = 0.70;       ///< kernels
inline constexpr double CopyBound = 0.30;          ///< copies and sets alone
inline constexpr double CommunicationBound = 0.30; ///< not hidden
/// Of the time in which the device idles, or without one of the steps: waiting
/// for data, when that is more than this.
inline constexpr double InputBound = 0.50;
/// Of the host's time that isn't waiting: launch calls.
inline constexpr double LaunchBound = 0.10;

// Of the steps' time on the host.
inline constexpr double ProfilerBound = 0.25; ///< our own hooks
inline constexpr double StarvedBound = 0.25;  ///< ready, without a processor
inline constexpr double ThrottledBound = 0.25;
/// Of the time off the processor, where throttling is what explains it.
inline constexpr double MostlyThrottled = 0.50;
/// A phase whose processor time has a page fault at least this often spends it
/// on these.
inline constexpr int64_t LongestFaultNs = 3000;
/// Of the times that a phase waited, those for a page to be read.
inline constexpr double MostlyPaging = 0.50;
/// Of the switches of a phase whose time on the run queue isn't known, those
/// that it didn't make itself, up to which its time off the processor is
/// waiting.
inline constexpr double FewPushedOff = 0.10;
/// Short phases share out what is known of them together, where they all spent
/// this part of it in one way.
inline constexpr double Uniform = 0.90;

// A phase is warned of from this part of its host time on, and from this part
// of the run's.
inline constexpr double MostlyWaiting = 0.50;
inline constexpr double WorthAWarning = 0.01;

// What-if experiments: where the 95 % interval of a phase's slope has to lie.
// Of an interval that is narrow enough to stop, one of them is true.
inline constexpr double WhatifCritical = 0.50;  ///< all of it from here on
inline constexpr double WhatifHidden = 0.30;    ///< up to here
inline constexpr double WhatifNotHidden = 0.10; ///< partly: from here on,
inline constexpr double WhatifNotWhole = 0.90;  ///< up to here
/// A phase that takes less of a step is short: a step varies by more than what
/// can be added to it.
inline constexpr double WhatifShort = 0.01;

// Ranks. Lost to waiting for the last rank, of the step time: below, no rank is
// called late.
inline constexpr double RanksLost = 0.10;
inline constexpr uint64_t RanksFewestSteps = 10; ///< that are compared
/// One rank is late for good when it has this part of all lateness; of two
/// ranks, one has half of it by chance.
inline constexpr double RanksPersistent = 0.60;
inline constexpr double RanksPersistentOfTwo = 0.75;
inline constexpr double RanksExplained = 0.80; ///< of lateness, by one phase
/// A device is late as a whole when each phase takes it longer that has this
/// part of its work.
inline constexpr double RanksDevicePhase = 0.05;
/// Clocks of two processes of a host may be so far apart.
inline constexpr int64_t RanksClockErrorNs = 50000;
/// Of a collective's instances, those that a rank leaves before the last has
/// come; of more, nobody waits in it for all.
inline constexpr double RanksLeftEarly = 0.05;
/// A live run's ranks are stalled when they have been in a collective for so
/// long and others haven't come.
inline constexpr int64_t StalledSeconds = 5;
/// An outlier lies further outside the quartiles than this part of their
/// distance (Tukey's fences), and further off the median than this part of it:
/// figures that hardly differ have outliers by the fences alone.
inline constexpr double OutlierReach = 1.5;
inline constexpr double OutlierOffMedian = 0.05;
inline constexpr uint64_t OutlierFewest = 8; ///< quartiles of fewer say nothing
/// Clocks of two hosts are compared by so many collectives, and run apart only
/// as so many more tell.
inline constexpr uint64_t ClockFewestExits = 3;
inline constexpr uint64_t ClockFewestForDrift = 20;

// Comparisons.
inline constexpr double LeastDiffShare = 0.01; ///< of a stage, to be judged
/// The chance that any action of a comparison is called changed wrongly.
inline constexpr double DiffLevel = 0.01;

// Recommendations.
inline constexpr double MostLoading = 0.05;       ///< of the steps
inline constexpr double MostCommunication = 0.10; ///< of the steps
inline constexpr double WorthAdvice = 0.10;       ///< of the steps
inline constexpr double LeastUtilization = 0.50;
inline constexpr double MostShortKernels = 0.50;
inline constexpr uint64_t FewestKernels = 100;
inline constexpr double LeastSmEfficiency = 0.80; ///< of the utilization
inline constexpr double LeastOccupancy = 0.50;
inline constexpr double MostMemory = 0.90;
inline constexpr int64_t FirstTensorCores = 7; ///< compute capability

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_THRESHOLDS_H
