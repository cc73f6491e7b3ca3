// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of time intervals: sorted, disjoint, half-open. The overview's shares
// are computed from them.

#ifndef LOOPSCOPE_RUN_MODEL_INTERVALS_H
#define LOOPSCOPE_RUN_MODEL_INTERVALS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// From Start up to but excluding End; ns.
struct Interval {
  int64_t Start = 0;
  int64_t End = 0;
};

/// Sorted by start; no two touch or overlap.
using IntervalSet = std::vector<Interval>;

/// The set covering what \p Intervals, in any order, cover.
IntervalSet unite(std::vector<Interval> Intervals);

/// What both sets cover.
IntervalSet intersect(const IntervalSet &Left, const IntervalSet &Right);

/// What \p Left covers and \p Right doesn't.
IntervalSet subtract(const IntervalSet &Left, const IntervalSet &Right);

/// Length of all intervals together, ns.
int64_t lengthOf(const IntervalSet &Set);

/// How much of \p Set is inside \p Range. Ranges must be passed in ascending
/// order; \p Hint, initially 0, carries the position from one call to the next.
int64_t lengthWithin(const IntervalSet &Set, Interval Range, size_t &Hint);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_INTERVALS_H
