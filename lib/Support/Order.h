// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of rows.

#ifndef LOOPSCOPE_SUPPORT_ORDER_H
#define LOOPSCOPE_SUPPORT_ORDER_H

#include <algorithm>
#include <functional>
#include <utility>

namespace loopscope {

/// Sorts \p Rows by the number that \p By, a member or a function, gives for
/// each: the largest first. Rows with equal numbers keep their order.
template <typename Range, typename Number = std::identity>
void sortLargestFirst(Range &Rows, Number By = {}) {
  std::ranges::stable_sort(Rows, std::ranges::greater(), std::move(By));
}

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_ORDER_H
