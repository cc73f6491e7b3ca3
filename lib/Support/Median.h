// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The median. An even number of values has two in the middle, and rules depend
// on which one is taken, so each has a function.

#ifndef LOOPSCOPE_SUPPORT_MEDIAN_H
#define LOOPSCOPE_SUPPORT_MEDIAN_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace loopscope {

/// The number with \p Rank smaller ones in \p Of, which has more than those.
template <typename T> T ofRank(std::vector<T> Of, size_t Rank) {
  auto At = Of.begin() + static_cast<ptrdiff_t>(Rank);
  std::nth_element(Of.begin(), At, Of.end());
  return *At;
}

/// The lower median, which half of the numbers can't raise. \p Of isn't empty.
template <typename T> T lowerMedian(std::vector<T> Of) {
  size_t Rank = (Of.size() - 1) / 2;
  return ofRank(std::move(Of), Rank);
}

/// The upper median, which half of the numbers can't lower. \p Of isn't empty.
template <typename T> T upperMedian(std::vector<T> Of) {
  size_t Rank = Of.size() / 2;
  return ofRank(std::move(Of), Rank);
}

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_MEDIAN_H
