// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which figures stand apart from the rest.

#ifndef LOOPSCOPE_ANALYSIS_TREE_OUTLIERS_H
#define LOOPSCOPE_ANALYSIS_TREE_OUTLIERS_H

#include "Analysis/Thresholds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// The indices of the \p Values that stand apart by the rules of Thresholds.h
/// (OutlierReach, OutlierOffMedian); none if there are fewer than
/// OutlierFewest.
inline std::vector<size_t> outliersOf(const std::vector<int64_t> &Values) {
  if (Values.size() < OutlierFewest)
    return {};
  std::vector<int64_t> Sorted = Values;
  std::sort(Sorted.begin(), Sorted.end());
  auto At = [&](size_t Quarters) {
    return static_cast<double>(Sorted[(Sorted.size() - 1) * Quarters / 4]);
  };
  double Fence = OutlierReach * (At(3) - At(1));
  double Least = std::min(At(1) - Fence, At(2) * (1 - OutlierOffMedian));
  double Most = std::max(At(3) + Fence, At(2) * (1 + OutlierOffMedian));
  std::vector<size_t> Result;
  for (size_t I = 0; I < Values.size(); ++I)
    if (auto Value = static_cast<double>(Values[I]);
        Value < Least || Value > Most)
      Result.push_back(I);
  return Result;
}

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_OUTLIERS_H
