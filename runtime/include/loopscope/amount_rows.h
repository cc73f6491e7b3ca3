// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of amounts.h as values, for the runtime and its readers. The sums
// are those of profile_format_sums.h.

#ifndef LOOPSCOPE_AMOUNT_ROWS_H
#define LOOPSCOPE_AMOUNT_ROWS_H

#include <loopscope/amounts.h>

#include <stdint.h>

namespace loopscope {

/// An amount of spans and steps; its number is its row's.
enum class SpanAmount : uint32_t {
#define LOOPSCOPE_ROW_(NAME, IDENTIFIER, NOUN) IDENTIFIER,
  __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW_)
#undef LOOPSCOPE_ROW_
};

struct SpanAmountRow {
  SpanAmount Which;
  const char *Name; ///< of the attribute and the function
  const char *Noun; ///< in reports
  /// Keys of the profile's sums: of all spans, and of the last one.
  const char *Sum, *Last;
};

inline constexpr SpanAmountRow SpanAmounts[] = {
#define LOOPSCOPE_ROW_(NAME, IDENTIFIER, NOUN)                                 \
  {SpanAmount::IDENTIFIER, #NAME, NOUN, "amount." #NAME, "amount.last." #NAME},
    __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW_)
#undef LOOPSCOPE_ROW_
};

inline constexpr uint32_t SpanAmountCount =
    sizeof(SpanAmounts) / sizeof(*SpanAmounts);

} // namespace loopscope

#endif // LOOPSCOPE_AMOUNT_ROWS_H
