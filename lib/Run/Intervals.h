// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of time intervals: sorted, disjoint, half open. What the overview's
// shares are made of.

#ifndef LOOPSCOPE_RUN_INTERVALS_H
#define LOOPSCOPE_RUN_INTERVALS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// From Start up to, not including, End; ns.
struct Interval {
  int64_t Start = 0;
  int64_t End = 0;
};

/// Sorted by start, none touching or overlapping another.
using IntervalSet = std::vector<Interval>;

/// The set that covers what \p Intervals, in any order, cover.
IntervalSet unite(std::vector<Interval> Intervals);

/// What both sets cover.
IntervalSet intersect(const IntervalSet &Left, const IntervalSet &Right);

/// What \p Left covers and \p Right doesn't.
IntervalSet subtract(const IntervalSet &Left, const IntervalSet &Right);

/// Length of all intervals together, ns.
int64_t lengthOf(const IntervalSet &Set);

/// The part of \p Set's length inside \p Range, for ranges that are asked for
/// in ascending order: \p Hint, 0 at first, carries the place from one call to
/// the next.
int64_t lengthWithin(const IntervalSet &Set, Interval Range, size_t &Hint);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_INTERVALS_H
