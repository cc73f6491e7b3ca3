// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of a table drawn to scale: what filled some time, from left to right.

#ifndef LOOPSCOPE_REPORT_PRINT_BAR_H
#define LOOPSCOPE_REPORT_PRINT_BAR_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// How a segment is filled.
enum class Fill : uint8_t { Solid, Light, Dots };

/// The look of one kind of segment, and what it stands for.
struct BarKey {
  char Symbol = '?'; ///< a segment's first cell; 0: like the others
  Fill Pattern = Fill::Solid;
  std::string Name; ///< empty: not explained below the table
};

/// A part of a bar, as shares of the bar's whole width, 0 to 1.
struct BarSegment {
  size_t Key = 0; ///< in the table's Keys
  double From = 0;
  double To = 0;
  bool operator==(const BarSegment &) const = default;
};

/// A bar; its segments are in order and don't overlap.
struct Bar {
  std::vector<BarSegment> Segments;
  bool operator==(const Bar &) const = default;
};

/// How a figure developed, in place of a bar: in each piece of the whole width
/// a value, at least 0; no number where it isn't known.
struct CurvePiece {
  double From = 0;
  double To = 0;
  double Value = 0;
  bool operator==(const CurvePiece &) const = default;
};

/// The pieces are in order and don't overlap.
struct Curve {
  std::vector<CurvePiece> Pieces;
  bool operator==(const Curve &) const = default;
};

/// What the output of a bar can show.
struct BarStyle {
  bool Utf8 = true;
  bool Color = false;
};

/// The bar in at most \p Width cells, each showing what fills most of it.
std::string drawBar(const Bar &What, const std::vector<BarKey> &Keys,
                    size_t Width, BarStyle Style);

/// The curve in \p Width cells, each as high as the mean over its time; the
/// largest is a full one, and blank is unknown.
std::string drawCurve(const Curve &What, size_t Width, BarStyle Style);

/// A key as its segments are drawn, and its name: "f█ forward".
std::string drawKey(const std::vector<BarKey> &Keys, size_t Key,
                    BarStyle Style);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_BAR_H
