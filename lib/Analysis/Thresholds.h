// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits from which a figure is worth a verdict, a warning or a
// recommendation. docs/report.md has the same numbers, which
// test/Style/thresholds.test checks.

#ifndef LOOPSCOPE_ANALYSIS_THRESHOLDS_H
#define LOOPSCOPE_ANALYSIS_THRESHOLDS_H

#include <cstddef>
#include <cstdint>

namespace loopscope {

// Shares of a run's time outside its loops.
/// What is outside comes before the verdict.
inline constexpr double MostlyOutside = 0.50;
inline constexpr double MostlyUnmarked = 0.75; ///< if no phase is worth a word
/// A phase outside the loops is named.
inline constexpr double WorthNaming = 0.05;

/// The first steps of a loop's executions are worth a word if they have at
/// least this share of its waiting for data, and wait at least this many times
/// as long as its other steps.
inline constexpr double LeastFirstDraws = 0.25;
inline constexpr int64_t FirstDrawsLonger = 3;

/// Steps of at least this many times the median are rare, and worth a word, if
/// they are at most this share of the steps and have this share of their time.
inline constexpr int64_t RareStepLonger = 10;
inline constexpr double MostRareSteps = 0.05;
inline constexpr double LeastRareTime = 0.20;

// A trace that contradicts itself in a larger share has no verdict.
inline constexpr double ContradictedLaunches = 0.10;
inline constexpr double ContradictedTime = 0.05; ///< of device work
inline constexpr double ContradictedEvents = 0.10;
inline constexpr double ContradictedCalls = 0.05; ///< of the steps' time

// Shares of the time measured, by NVML's monitors of a GPU.
inline constexpr double HardwareMemoryLimit = 0.80; ///< of DRAM's throughput
inline constexpr double HardwareBound = 0.60;       ///< the busiest part
inline constexpr double HardwareNeither = 0.80;     ///< SMs with work
inline constexpr double HardwareEmpty = 0.50;       ///< likewise, below it
inline constexpr double HardwareHeldBack = 0.05;    ///< clocks
inline constexpr double HardwareClockChange = 0.02; ///< by PM sampling
inline constexpr double HardwareWorthNaming = 0.10; ///< other units
/// A phase's sentence says its measured share where it is less.
inline constexpr double HardwareMostlyMeasured = 0.80;
inline constexpr size_t HardwareMostNamed = 3; ///< phases in a sentence
/// A call path has a roof if so much of its time has readings.
inline constexpr double RooflineLeastMeasured = 0.30;

// Shares of the steps' time, per device.
inline constexpr double ComputeBound = 0.70;       ///< kernels
inline constexpr double CopyBound = 0.30;          ///< copies and memsets alone
inline constexpr double CommunicationBound = 0.30; ///< not hidden
/// Waiting for data counts from this share of the device's idle time or,
/// without a device, of the steps' time.
inline constexpr double InputBound = 0.50;
/// A mean draw that is shorter isn't called a wait for data: usually, it is
/// what the loop's header takes.
inline constexpr int64_t ShortestDrawNs = 1000;
/// Launch calls' share of the host's time that isn't waiting.
inline constexpr double LaunchBound = 0.10;

/// Work that goes on after the last step, as a share of all steps, from which
/// it is worth a word.
inline constexpr double DeviceLag = 0.05;

// Shares of the steps' time on the host.
inline constexpr double ProfilerBound = 0.25; ///< our own hooks
/// Ready to run but without a processor.
inline constexpr double StarvedBound = 0.25;
inline constexpr double ThrottledBound = 0.25;
/// Share of the time off the processor from which throttling explains it.
inline constexpr double MostlyThrottled = 0.50;
/// A phase with at least one page fault per this much processor time spends
/// that time on faults.
inline constexpr int64_t LongestFaultNs = 3000;
/// Share of a phase's waits from which they are waits for a page to be read.
inline constexpr double MostlyPaging = 0.50;
/// For a phase whose time on the run queue isn't known: up to this share of
/// involuntary switches, its time off the processor counts as waiting.
inline constexpr double FewPushedOff = 0.10;
/// Short phases share the figures that are known for them together if they all
/// spent this part of it in one way.
inline constexpr double Uniform = 0.90;

// A warning needs at least this share of the phase's host time, and this share
// of the run's.
inline constexpr double MostlyWaiting = 0.50;
inline constexpr double WorthAWarning = 0.01;

// One key of a phase stands out if it is an outlier and takes this many times
// the median, in this many spans and by this many standard errors of its mean.
inline constexpr double KeyLonger = 1.5;
inline constexpr uint64_t KeyFewestSpans = 5;
inline constexpr int64_t KeyErrors = 3;
/// Times rise or fall with the key if this part of the neighbours do.
inline constexpr double KeyTrend = 0.75;
/// Times grow with the key if the greatest key is this many times the least and
/// takes this many times as long, and this part of the keys is as near to a
/// power of the key as the last number says.
inline constexpr double KeyGrowthReach = 4;
inline constexpr double KeyGrowthLonger = 1.5;
inline constexpr double KeyGrowthFitted = 0.80;
inline constexpr double KeyGrowthNear = 0.20;

/// Shares of samples have intervals if at most this part of them was taken at
/// the kernel's ticks.
inline constexpr double FewAtTicks = 0.05;

// What-if experiments: where the 95 % interval of a phase's slope has to lie.
// For an interval that is narrow enough to stop, one of these is true.
inline constexpr double WhatifCritical = 0.50;  ///< all of it from here on
inline constexpr double WhatifHidden = 0.30;    ///< up to here
inline constexpr double WhatifNotHidden = 0.10; ///< partly: from here on,
inline constexpr double WhatifNotWhole = 0.90;  ///< up to here
/// An interval that lies further than this outside 0 to 1 is noise, and so is
/// one that is further from 1 where the slope must be 1,
inline constexpr double WhatifBeyond = 0.10;
/// because nothing else was recorded. A loop that waits for more than this
/// share of its time waits for something.
inline constexpr double WhatifWaits = 0.05;
/// A phase with a smaller share of a step is short: steps vary by more than
/// what can be added to it.
inline constexpr double WhatifShort = 0.01;

// Ranks. Waiting for the last rank, as a share of the step time: below this, no
// rank is called late.
inline constexpr double RanksLost = 0.10;
inline constexpr uint64_t RanksFewestSteps = 10; ///< that are compared
/// One rank is persistently late if it has this share of all lateness; of two
/// ranks, one has half of it by chance.
inline constexpr double RanksPersistent = 0.60;
inline constexpr double RanksPersistentOfTwo = 0.75;
inline constexpr double RanksExplained = 0.80; ///< of lateness, by one phase
// Of the own time of single steps. A rank is late if it takes this much of a
// step longer, and this many times what is noise between samples.
inline constexpr double RanksOwnLate = 0.05;
inline constexpr int64_t RanksOwnNoise = 6;
/// Ranks with this share of the latest one's excess are late, too.
inline constexpr double RanksOfMost = 0.50;
// So that chance doesn't make a rank that is late in turns always late: in this
// part of the steps, it has this part of its usual excess.
inline constexpr double RanksMostSteps = 0.65;
inline constexpr double RanksStepExcess = 0.25;
/// Being late costs something if this part of it isn't slack.
inline constexpr double RanksCritical = 0.20;
/// A phase with this part of it is the reason.
inline constexpr double RanksReason = 0.50;
/// Late in turns: this much of a step, beyond the rank that is always late.
inline constexpr double RanksInTurns = 0.10;
/// Two rules by which steps communicate need a word if they differ by this
/// share of the steps.
inline constexpr double RulesDiffer = 0.05;
// A single step is long by this many steps and this part of the run.
inline constexpr int64_t RanksOnce = 2;
inline constexpr double RanksOnceOfRun = 0.01;
/// By how much the steps of ranks that wait for each other differ at most.
inline constexpr double RanksSameSteps = 0.10;
/// A device is late as a whole if every phase with at least this share of its
/// work takes it longer.
inline constexpr double RanksDevicePhase = 0.05;
/// How far apart the clocks of two processes on one host may be.
inline constexpr int64_t RanksClockErrorNs = 50000;
/// Share of a collective's instances that a rank may leave before the last has
/// arrived; above it, ranks don't wait for all in this collective.
inline constexpr double RanksLeftEarly = 0.05;
/// A live run's ranks are stalled when they have been in a collective this long
/// and others haven't arrived.
inline constexpr int64_t StalledSeconds = 5;
/// An outlier lies outside the quartiles by more than this part of their
/// distance (Tukey's fences), and off the median by more than this part of it:
/// figures that hardly differ have outliers by the fences alone.
inline constexpr double OutlierReach = 1.5;
inline constexpr double OutlierOffMedian = 0.05;
inline constexpr uint64_t OutlierFewest = 8; ///< quartiles of fewer say nothing
/// The offset of two hosts' clocks takes at least this many collectives, and
/// their drift at least this many.
inline constexpr uint64_t ClockFewestExits = 3;
inline constexpr uint64_t ClockFewestForDrift = 20;
/// The most that two clocks drift apart, in seconds per second: ntpd and the
/// kernel's clock discipline change neither's speed by more than half of it. A
/// steeper slope is taken for noise.
inline constexpr double ClockMostDrift = 0.001;

// Loops of programs without marks, by samples (SampledProgram.h).
inline constexpr double PartOfLoop = 0.10; ///< a call that matters, of the loop
inline constexpr double MostOfCalls = 0.80; ///< one call is followed, of all
inline constexpr double SomeOfCalls = 0.25; ///< a loop is followed inwards
/// With a smaller part of the samples that the CPU time should have, shares
/// may mislead.
inline constexpr double LeastOfExpected = 0.75;
inline constexpr double LeastOfThread = 0.02; ///< a loop is seen at all

// Memory that only grows, in the later half of the steps.
inline constexpr size_t FewestForGrowth = 10; ///< steps
inline constexpr size_t FewestGrowths = 3;    ///< of them that grew

// Comparisons.
inline constexpr double LeastDiffShare = 0.01; ///< of a stage, to be judged
/// The probability that some unchanged action of a comparison is called
/// changed.
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
