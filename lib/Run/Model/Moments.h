// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Durations of many spans, summed up: count, mean, deviation and percentiles,
// merged without cancellation.

#ifndef LOOPSCOPE_RUN_MODEL_MOMENTS_H
#define LOOPSCOPE_RUN_MODEL_MOMENTS_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <span>
#include <vector>

namespace loopscope {

/// A bucket of a histogram of nanoseconds that is not empty: which one, and how
/// many spans fell into it. A run of many ranks holds millions of them.
struct Bucket {
  uint64_t Index : 9;
  uint64_t Count : 55;

  /// Counts that don't fit, of hostile files, become the highest that does.
  Bucket(unsigned Index, uint64_t Count)
      : Index(Index), Count(Count < MostSpans ? Count : MostSpans) {}

  /// The duration that represents it.
  double ns() const;

  static constexpr uint64_t MostSpans = (uint64_t{1} << 55) - 1;
};
static_assert(LOOPSCOPE_HISTOGRAM_BUCKETS <= 1U << 9);

/// Count, mean and squared deviation of finished spans, and their distribution.
/// Durations in nanoseconds.
class Moments {
public:
  Moments() = default;

  /// \p Count spans whose durations add up to \p Sum ticks and their squares to
  /// \p SquareHigh * 2^64 + \p SquareLow, at \p NsPerTick. The deviation is
  /// computed from the exact integers. Sums that no set of durations can have
  /// give a deviation of 0.
  static Moments fromSums(uint64_t Count, uint64_t Sum, uint64_t SquareLow,
                          uint64_t SquareHigh, double NsPerTick);

  /// Sets the extremes and the distribution; \p Buckets are ascending.
  void setDistribution(double MinNs, double MaxNs, std::vector<Bucket> Buckets);

  /// Adds the spans of \p Other.
  void merge(const Moments &Other);

  uint64_t count() const { return Count; }
  /// Mean duration; 0 when there are no spans.
  double meanNs() const { return static_cast<double>(Mean); }
  /// The population's standard deviation; 0 when there are no spans.
  double deviationNs() const;
  double minNs() const { return Min; }
  double maxNs() const { return Max; }
  /// The smallest recorded duration that at least \p Fraction of the spans
  /// don't exceed, with the histogram's error, within [min, max].
  double percentileNs(double Fraction) const;
  /// The histogram's buckets that are not empty, ascending.
  const std::vector<Bucket> &distribution() const { return Distribution; }

private:
  void mergeDistribution(const std::vector<Bucket> &Other);

  uint64_t Count = 0;
  long double Mean = 0;
  long double SquaredDeviation = 0; // sum of (duration - mean)^2
  double Min = 0;
  double Max = 0;
  std::vector<Bucket> Distribution;
};

/// The duration in ticks that represents histogram bucket \p Index; see
/// loopscope_histogram.
double bucketTicks(unsigned Index);

/// The shortest duration in bucket \p Index.
double lowestTicks(unsigned Index);

/// The buckets of a histogram with \p Counts, of bucket \p First and those that
/// follow, in nanoseconds. Their edges are the same for all clocks, those of a
/// histogram of nanoseconds, so that merging the ranks of a run makes them no
/// more: each bucket's spans are spread evenly over the ones that it overlaps,
/// in whole numbers.
std::vector<Bucket> bucketsInNs(std::span<const uint64_t> Counts,
                                double NsPerTick, unsigned First = 0);

/// The histogram bucket of a duration of TICKS.
unsigned bucketOf(uint64_t Ticks);

inline double Bucket::ns() const { return bucketTicks(Index); }

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_MOMENTS_H
