// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of many figures stand apart from the rest.

#ifndef LOOPSCOPE_ANALYSIS_OUTLIERS_H
#define LOOPSCOPE_ANALYSIS_OUTLIERS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace loopscope {

/// The places of those of \p Values that lie further than 1.5 times the
/// distance of the quartiles outside them (Tukey's fences), and more than 5 %
/// off the median: figures that hardly differ have outliers by the fences
/// alone. Of fewer than 8 values, none: their quartiles tell nothing.
inline std::vector<size_t> outliersOf(const std::vector<int64_t> &Values) {
  constexpr size_t Fewest = 8;
  constexpr double Reach = 1.5;
  constexpr double OffMedian = 0.05;
  if (Values.size() < Fewest)
    return {};
  std::vector<int64_t> Sorted = Values;
  std::sort(Sorted.begin(), Sorted.end());
  auto At = [&](size_t Quarters) {
    return static_cast<double>(Sorted[(Sorted.size() - 1) * Quarters / 4]);
  };
  double Fence = Reach * (At(3) - At(1));
  double Least = std::min(At(1) - Fence, At(2) * (1 - OffMedian));
  double Most = std::max(At(3) + Fence, At(2) * (1 + OffMedian));
  std::vector<size_t> Result;
  for (size_t I = 0; I < Values.size(); ++I)
    if (auto Value = static_cast<double>(Values[I]);
        Value < Least || Value > Most)
      Result.push_back(I);
  return Result;
}

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_OUTLIERS_H
