// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short ways to make cells.

#ifndef LOOPSCOPE_REPORT_PRINT_CELLS_H
#define LOOPSCOPE_REPORT_PRINT_CELLS_H

#include "Report/Print/Table.h"
#include "Support/Numbers.h"

#include <cstdint>
#include <string>
#include <utility>

namespace loopscope {

/// No value; \p Text is what text and markdown show instead.
inline Cell absent(std::string Text = "-") { return {{}, std::move(Text)}; }

inline Cell text(std::string Value) { return {std::move(Value), {}}; }

inline Cell textIfKnown(const std::string &Text) {
  return Text.empty() ? absent() : text(Text);
}

inline Cell count(uint64_t Value) { return {static_cast<int64_t>(Value), {}}; }

/// Bytes, with a unit in text and markdown.
inline Cell size(uint64_t Bytes) {
  return {static_cast<int64_t>(Bytes), siBytes(Bytes)};
}

/// An exact duration; unless empty, \p Text replaces it in text and markdown.
inline Cell duration(int64_t Ns, std::string Text = {}) {
  return {Nanoseconds{Ns}, std::move(Text)};
}

/// A duration that is a mean or another computed value, in seconds.
inline Cell seconds(double Value) { return {Value, {}}; }

inline Cell real(double Value, std::string Text = {}) {
  return {Value, std::move(Text)};
}

/// \p Part of \p Whole in percent; absent if the whole is 0.
inline Cell share(int64_t Part, int64_t Whole) {
  if (Whole <= 0)
    return absent();
  // In this order few results are rounded twice: 14 % isn't 14.000000000000002
  // %.
  return real(static_cast<double>(Part) * 100 / static_cast<double>(Whole));
}

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_CELLS_H
