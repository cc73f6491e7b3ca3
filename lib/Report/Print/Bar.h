// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of a table drawn to scale: what filled a time, from left to right.

#ifndef LOOPSCOPE_REPORT_PRINT_BAR_H
#define LOOPSCOPE_REPORT_PRINT_BAR_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// How a segment is filled.
enum class Fill : uint8_t { Solid, Light, Dots };

/// What segments of one kind look like, and what they stand for.
struct BarKey {
  char Symbol = '?'; ///< a segment's first cell
  Fill Pattern = Fill::Solid;
  std::string Name;
};

/// A part of a bar, as shares of the bar's whole width, 0 to 1.
struct BarSegment {
  size_t Key = 0; ///< in the table's Keys
  double From = 0;
  double To = 0;
  bool operator==(const BarSegment &) const = default;
};

/// A bar; segments don't overlap and are in order.
struct Bar {
  std::vector<BarSegment> Segments;
  bool operator==(const Bar &) const = default;
};

/// What the place that a bar is drawn on can show.
struct BarStyle {
  bool Utf8 = true;
  bool Color = false;
};

/// The bar in at most WIDTH cells: each shows what fills most of it.
std::string drawBar(const Bar &What, const std::vector<BarKey> &Keys,
                    size_t Width, BarStyle Style);

/// A key as its segments are drawn, and its name: "f█ forward".
std::string drawKey(const std::vector<BarKey> &Keys, size_t Key,
                    BarStyle Style);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_BAR_H
