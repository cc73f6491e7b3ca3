// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile's clock: ticks to nanoseconds.

#ifndef LOOPSCOPE_RUN_READ_CLOCK_H
#define LOOPSCOPE_RUN_READ_CLOCK_H

#include <loopscope/profile_format.h>

#include <cstdint>

namespace loopscope {

/// Converts ticks by the calibration that the run left in its header, or by the
/// clock's nominal rate if the run was too short for one.
class Clock {
public:
  explicit Clock(const loopscope_profile_header &Header);

  /// \p Ticks in whole nanoseconds, rounded down and capped at INT64_MAX.
  /// Rounding down keeps sums consistent: parts never add up to more than their
  /// whole.
  int64_t toNs(uint64_t Ticks) const;

  /// For means and deviations.
  double nsPerTick() const { return Rate; }

private:
  uint64_t Ns = 1; // Ns nanoseconds are Ticks ticks
  uint64_t Ticks = 1;
  double Rate = 1;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_CLOCK_H
