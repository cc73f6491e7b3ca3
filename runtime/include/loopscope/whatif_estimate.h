// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of what-if experiments, for the runtime (which stops when the
// intervals are narrow) and the report (which prints them). Pure functions, no
// libc.
//
// One experiment is a block of steps in which a phase was lengthened, between
// two unchanged blocks:
//
//   change = mean(lengthened) - (mean(before) + mean(after)) / 2
//   slope  = change / injected per step
//
// so that steady drift over the three blocks cancels. Occasional delays (a
// checkpoint, another program on the machine) make some steps longer and none
// shorter. Therefore a block's mean is the mean of the faster half of its
// stretches of four to six steps. It uses stretches, because a pipeline may
// wait in only every second to sixth step, and picks the length at which they
// differ least. If that excludes more than a fifth of the time, steps vary on
// their own; then the mean is over all steps except those far longer than the
// others.
//
// A phase's slope is the trimmed mean of its experiments' slopes, with the
// interval of Tukey and McLaughlin (1963), "Less vulnerable confidence and
// significance procedures for location based on a single sample", Sankhya A 25,
// 331-352, as in Wilcox, "Introduction to Robust Estimation and Hypothesis
// Testing", section 4.3: mean +- t(h - 1) * sw / ((1 - 2 g / n) sqrt(n)), where
// g of n values are trimmed at each end, h = n - 2 g are left, and sw is the
// winsorized standard deviation. Ours is 15 % wider: experiments stop when the
// interval is narrow, which happens too early if it is narrow by chance. In
// simulation the wider interval contains the true slope in 95 to 99 % of runs
// (unit tests).

#ifndef LOOPSCOPE_WHATIF_ESTIMATE_H
#define LOOPSCOPE_WHATIF_ESTIMATE_H

#include <stdint.h>

namespace loopscope::whatif {

/// Experiments stop when every interval is narrower than this,
constexpr double WidthWanted = 0.2;
/// and each phase has had at least this many: with fewer, the interval is too
/// often narrow by chance.
constexpr uint32_t LeastBlocks = 8;
/// A phase gets at most this many in a run.
constexpr uint32_t MostBlocks = 256;
/// Correction for stopping when the interval is narrow.
constexpr double Widened = 1.15;

/// Durations of a block's steps.
struct Steps {
  const uint64_t *Ticks;
  uint32_t Count;
};

/// The longest duration that counts: twice the second longest of the steps in
/// the blocks before and after.
inline uint64_t limitOf(const Steps &Before, const Steps &After) {
  uint64_t First = 0;
  uint64_t Second = 0;
  const Steps *Both[] = {&Before, &After};
  for (const Steps *Each : Both)
    for (uint32_t I = 0; I < Each->Count; ++I) {
      uint64_t Ticks = Each->Ticks[I];
      if (Ticks > First) {
        Second = First;
        First = Ticks;
      } else if (Ticks > Second) {
        Second = Ticks;
      }
    }
  return Second > UINT64_MAX / 2 ? UINT64_MAX : 2 * Second;
}

/// The mean of the steps up to LIMIT; 0 if there is none.
inline double meanOf(const Steps &Of, uint64_t Limit) {
  double Sum = 0;
  uint32_t Count = 0;
  for (uint32_t I = 0; I < Of.Count; ++I)
    if (Of.Ticks[I] <= Limit) {
      Sum += static_cast<double>(Of.Ticks[I]);
      ++Count;
    }
  return Count == 0 ? 0 : Sum / Count;
}

/// Steps per stretch, and the most steps of a block.
constexpr uint32_t ShortestStretch = 4;
constexpr uint32_t LongestStretch = 6;
constexpr uint32_t MostSteps = 64;

/// The mean of the faster half of the stretches; of all steps if there is no
/// stretch. Uses the first MostSteps steps.
inline double fasterHalfOf(const Steps &Of, uint32_t Stretch) {
  double Sums[MostSteps];
  uint32_t Steps = Of.Count < MostSteps ? Of.Count : MostSteps;
  if (Steps < Stretch)
    return meanOf(Of, UINT64_MAX);
  uint32_t Count = Steps - Stretch + 1;
  for (uint32_t I = 0; I < Count; ++I) {
    double Sum = 0;
    for (uint32_t K = I; K < I + Stretch; ++K)
      Sum += static_cast<double>(Of.Ticks[K]);
    uint32_t At = I;
    for (; At > 0 && Sums[At - 1] > Sum; --At)
      Sums[At] = Sums[At - 1];
    Sums[At] = Sum;
  }
  uint32_t Half = (Count + 1) / 2;
  double Sum = 0;
  for (uint32_t I = 0; I < Half; ++I)
    Sum += Sums[I];
  return Sum / (Half * Stretch);
}

/// Whether a phase was lengthened TIMES in STEPS steps, in which it had SPANS
/// spans, as often as an experiment needs: in every step, or in every span if
/// there are fewer. Otherwise what is added comes in lumps, which the mean of
/// the faster half leaves out.
inline bool isEven(uint64_t Times, uint64_t Spans, uint32_t Steps) {
  uint64_t Wanted = Spans < Steps ? Spans : Steps;
  return Times >= Wanted - Wanted / 10;
}

/// Whether it was lengthened so rarely that it must be too short, and other
/// threads that ran meanwhile aren't the reason.
inline bool isRare(uint64_t Times, uint64_t Spans, uint32_t Steps) {
  return 2 * Times < (Spans < Steps ? Spans : Steps);
}

/// One experiment.
struct Experiment {
  double StepTicks = 0; ///< an undisturbed step
  double Change = 0;    ///< ticks by which a step became longer
  double Slope = 0;     ///< per tick injected
  bool IsKnown = false; ///< false: there is nothing to divide
};

/// INJECTED is the total lengthening over all steps of LENGTHENED. If the phase
/// ran on several threads at once, the share of one of THREADS counts.
inline Experiment experimentOf(const Steps &Before, const Steps &Lengthened,
                               const Steps &After, uint64_t Injected,
                               uint32_t Threads) {
  constexpr double LeastShare = 0.8;
  Experiment Result;
  uint64_t Limit = limitOf(Before, After);
  double First = meanOf(Before, Limit);
  double Second = meanOf(Lengthened, Limit);
  double Third = meanOf(After, Limit);
  if (First <= 0 || Second <= 0 || Third <= 0 || Injected == 0 || Threads == 0)
    return Result;
  uint32_t Stretch = ShortestStretch;
  double Fast = 0;
  for (uint32_t I = ShortestStretch; I <= LongestStretch; ++I)
    if (double Both = fasterHalfOf(Before, I) + fasterHalfOf(After, I);
        Both > Fast) {
      Fast = Both;
      Stretch = I;
    }
  if (Fast >= LeastShare * (First + Third)) {
    First = fasterHalfOf(Before, Stretch);
    Second = fasterHalfOf(Lengthened, Stretch);
    Third = fasterHalfOf(After, Stretch);
  }
  double PerStep = static_cast<double>(Injected) / Threads / Lengthened.Count;
  Result.StepTicks = (First + Third) / 2;
  Result.Change = Second - Result.StepTicks;
  Result.Slope = Result.Change / PerStep;
  Result.IsKnown = true;
  return Result;
}

/// The number of threads in a record's bits.
inline uint32_t threadsOf(uint64_t Bits) {
  return static_cast<uint32_t>(__builtin_popcountll(Bits));
}

/// The square root, by Newton's method.
inline double rootOf(double Square) {
  if (!(Square > 0))
    return 0;
  double Root = Square < 1 ? 1 : Square;
  for (int I = 0; I < 2000; ++I) {
    double Next = (Root + Square / Root) / 2;
    if (Next >= Root)
      break;
    Root = Next;
  }
  return Root;
}

/// The 97.5 % quantile of Student's t.
inline double studentOf(uint32_t Degrees) {
  constexpr double Table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                              2.365, 2.306,  2.262, 2.228, 2.201, 2.179, 2.160,
                              2.145, 2.131,  2.120, 2.110, 2.101, 2.093, 2.086,
                              2.080, 2.074,  2.069, 2.064, 2.060, 2.056, 2.052,
                              2.048, 2.045,  2.042};
  // Beyond the table the error is below 0.002.
  return Degrees < 31 ? Table[Degrees] : 1.96 + 2.5 / Degrees;
}

/// A slope and its 95 % interval.
struct Interval {
  double Slope = 0;
  double Low = 0;
  double High = 0;
  uint32_t Blocks = 0;
  bool IsKnown = false; ///< false: fewer than three experiments

  double width() const { return High - Low; }
  bool isNarrow() const {
    return IsKnown && Blocks >= LeastBlocks && width() < WidthWanted;
  }
};

/// The number of values trimmed at each end.
inline uint32_t trimmedOf(uint32_t Count) { return Count / 10; }

/// From the slopes of a phase's experiments; sorts them.
inline Interval intervalOf(double *Slopes, uint32_t Count) {
  Interval Result;
  Result.Blocks = Count;
  if (Count == 0)
    return Result;
  for (uint32_t I = 1; I < Count; ++I)
    for (uint32_t K = I; K > 0 && Slopes[K] < Slopes[K - 1]; --K) {
      double Swapped = Slopes[K];
      Slopes[K] = Slopes[K - 1];
      Slopes[K - 1] = Swapped;
    }
  uint32_t Trimmed = trimmedOf(Count);
  uint32_t Left = Count - 2 * Trimmed;
  double Sum = 0;
  for (uint32_t I = Trimmed; I < Count - Trimmed; ++I)
    Sum += Slopes[I];
  Result.Slope = Result.Low = Result.High = Sum / Left;
  if (Count < 3)
    return Result;
  auto Winsorized = [&](uint32_t I) {
    uint32_t Last = Count - Trimmed - 1;
    return Slopes[I < Trimmed ? Trimmed : I > Last ? Last : I];
  };
  double Mean = 0;
  for (uint32_t I = 0; I < Count; ++I)
    Mean += Winsorized(I) / Count;
  double Squares = 0;
  for (uint32_t I = 0; I < Count; ++I)
    Squares += (Winsorized(I) - Mean) * (Winsorized(I) - Mean);
  double Share = static_cast<double>(Left) / Count;
  double Half = Widened * studentOf(Left - 1) *
                rootOf(Squares / (Count - 1) / Count) / Share;
  Result.Low = Result.Slope - Half;
  Result.High = Result.Slope + Half;
  Result.IsKnown = true;
  return Result;
}

} // namespace loopscope::whatif

#endif // LOOPSCOPE_WHATIF_ESTIMATE_H
