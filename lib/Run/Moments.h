// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Durations of many spans, summed up: count, mean, deviation and percentiles,
// merged without cancellation.

#ifndef LOOPSCOPE_RUN_MOMENTS_H
#define LOOPSCOPE_RUN_MOMENTS_H

#include <cstdint>
#include <vector>

namespace loopscope {

/// A histogram bucket that is not empty: its representative duration and how
/// many spans fell into it.
struct Bucket {
  double Ns = 0;
  uint64_t Count = 0;
};

/// Count, mean and squared deviation of finished spans, and their distribution.
/// Durations in nanoseconds.
class Moments {
public:
  Moments() = default;

  /// COUNT spans whose durations sum up to SUM ticks and their squares to
  /// SQUARE_HIGH * 2^64 + SQUARE_LOW, at NS_PER_TICK. The deviation is computed
  /// from the exact integers. Sums that no set of durations can have give a
  /// deviation of 0.
  static Moments fromSums(uint64_t Count, uint64_t Sum, uint64_t SquareLow,
                          uint64_t SquareHigh, double NsPerTick);

  /// The extremes and the distribution, BUCKETS ascending.
  void setDistribution(double MinNs, double MaxNs, std::vector<Bucket> Buckets);

  /// Adds the spans of OTHER.
  void merge(const Moments &Other);

  uint64_t count() const { return Count; }
  /// Mean duration; 0 when there are no spans.
  double meanNs() const { return static_cast<double>(Mean); }
  /// The population's standard deviation; 0 when there are no spans.
  double deviationNs() const;
  double minNs() const { return Min; }
  double maxNs() const { return Max; }
  /// The smallest recorded duration that at least FRACTION of the spans don't
  /// exceed, with the histogram's error, within [min, max].
  double percentileNs(double Fraction) const;
  /// The histogram's buckets that are not empty, ascending.
  const std::vector<Bucket> &distribution() const { return Distribution; }

private:
  uint64_t Count = 0;
  long double Mean = 0;
  long double SquaredDeviation = 0; // sum of (duration - mean)^2
  double Min = 0;
  double Max = 0;
  std::vector<Bucket> Distribution;
};

/// The duration in ticks that stands for histogram bucket INDEX, see
/// loopscope_histogram.
double bucketTicks(unsigned Index);

/// The histogram bucket of a duration of TICKS.
unsigned bucketOf(uint64_t Ticks);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MOMENTS_H
