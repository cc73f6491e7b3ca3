// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps over sorted intervals, linear in their number.

#include "Run/Model/Intervals.h"

#include <algorithm>

namespace loopscope {

IntervalSet unite(std::vector<Interval> Intervals) {
  auto ByStart = [](const Interval &A, const Interval &B) {
    return A.Start < B.Start;
  };
  if (!std::is_sorted(Intervals.begin(), Intervals.end(), ByStart))
    std::sort(Intervals.begin(), Intervals.end(), ByStart);
  IntervalSet Out;
  for (const Interval &Next : Intervals) {
    if (Next.End <= Next.Start)
      continue;
    if (Out.empty() || Next.Start > Out.back().End)
      Out.push_back(Next);
    else
      Out.back().End = std::max(Out.back().End, Next.End);
  }
  return Out;
}

IntervalSet intersect(const IntervalSet &Left, const IntervalSet &Right) {
  IntervalSet Out;
  for (size_t L = 0, R = 0; L < Left.size() && R < Right.size();) {
    Interval Common{std::max(Left[L].Start, Right[R].Start),
                    std::min(Left[L].End, Right[R].End)};
    if (Common.Start < Common.End)
      Out.push_back(Common);
    if (Left[L].End < Right[R].End)
      ++L;
    else
      ++R;
  }
  return Out;
}

IntervalSet subtract(const IntervalSet &Left, const IntervalSet &Right) {
  IntervalSet Out;
  size_t R = 0;
  for (Interval Rest : Left) {
    while (R < Right.size() && Right[R].End <= Rest.Start)
      ++R;
    for (size_t I = R; I < Right.size() && Right[I].Start < Rest.End; ++I) {
      if (Right[I].Start > Rest.Start)
        Out.push_back({Rest.Start, Right[I].Start});
      Rest.Start = std::max(Rest.Start, Right[I].End);
    }
    if (Rest.Start < Rest.End)
      Out.push_back(Rest);
  }
  return Out;
}

int64_t lengthOf(const IntervalSet &Set) {
  int64_t Sum = 0;
  for (const Interval &Part : Set)
    Sum += Part.End - Part.Start;
  return Sum;
}

int64_t lengthWithin(const IntervalSet &Set, Interval Range, size_t &Hint) {
  while (Hint < Set.size() && Set[Hint].End <= Range.Start)
    ++Hint;
  int64_t Sum = 0;
  for (size_t I = Hint; I < Set.size() && Set[I].Start < Range.End; ++I)
    Sum +=
        std::min(Set[I].End, Range.End) - std::max(Set[I].Start, Range.Start);
  return Sum;
}

} // namespace loopscope
