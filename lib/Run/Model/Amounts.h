// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The amounts that the program gives for spans and steps (loopscope/amounts.h),
// such as floating-point operations. Plain values, checked. Part of the model
// (Run.h), filled by readAmounts.

#ifndef LOOPSCOPE_RUN_MODEL_AMOUNTS_H
#define LOOPSCOPE_RUN_MODEL_AMOUNTS_H

#include <loopscope/amount_rows.h>

#include <cstdint>

namespace loopscope {

/// A value for each amount.
template <typename T> struct PerAmount {
  T All[SpanAmountCount];

  T &operator[](SpanAmount Which) { return All[static_cast<uint32_t>(Which)]; }
  const T &operator[](SpanAmount Which) const {
    return All[static_cast<uint32_t>(Which)];
  }
};

/// What the finished spans of a node gave.
struct GivenAmount {
  double Sum = 0;
  uint64_t Spans = 0; ///< that gave a number
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_AMOUNTS_H
