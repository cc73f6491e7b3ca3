// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's float repr: plain from 1e-4 up to below 1e16, else with an exponent
// of at least two digits.

#include "Report/Print/PythonJson.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>

namespace loopscope {
namespace {

// The code point at Text[At] and its length; anything that isn't UTF-8 counts
// as U+FFFD.
struct Decoded {
  uint32_t Point;
  size_t Length;
};

Decoded decode(std::string_view Text, size_t At) {
  auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  uint32_t First = Byte(At);
  size_t Length = First < 0x80 ? 1 : First < 0xE0 ? 2 : First < 0xF0 ? 3 : 4;
  if (Length == 1)
    return {First, 1};
  if (First < 0xC2 || First > 0xF4 || At + Length > Text.size())
    return {0xFFFD, 1};
  uint32_t Point = First & (0xFFU >> (Length + 1));
  for (size_t I = 1; I < Length; ++I) {
    if ((Byte(At + I) & 0xC0) != 0x80)
      return {0xFFFD, 1};
    Point = Point << 6 | (Byte(At + I) & 0x3F);
  }
  return {Point, Length};
}

} // namespace

std::string pythonString(std::string_view Text) {
  std::string Out = "\"";
  Out.reserve(Text.size() + 2);
  for (size_t I = 0; I < Text.size();) {
    auto C = static_cast<unsigned char>(Text[I]);
    if (C >= 0x20 && C < 0x7F) {
      if (C == '"' || C == '\\')
        Out += '\\';
      Out += Text[I++];
      continue;
    }
    constexpr std::string_view Controls = "\b\f\n\r\t";
    if (size_t Code = Controls.find(Text[I]); Code != std::string_view::npos) {
      Out += '\\';
      Out += std::string_view("bfnrt")[Code];
      ++I;
      continue;
    }
    auto [Point, Length] = decode(Text, I);
    I += Length;
    if (Point < 0x10000)
      Out += fmt::format("\\u{:04x}", Point);
    else
      Out += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (Point >> 10),
                         0xDC00 + (Point & 0x3FF));
  }
  return Out + '"';
}

std::string pythonFloat(double Value) {
  if (!std::isfinite(Value))
    return std::isnan(Value) ? "NaN" : Value > 0 ? "Infinity" : "-Infinity";
  double Size = std::abs(Value);
  if (Size != 0 && (Size < 1e-4 || Size >= 1e16))
    return fmt::format("{}", Value);
  std::string Digits = fmt::format("{}", Value);
  return Digits.find_first_of(".e") == std::string::npos ? Digits + ".0"
                                                         : Digits;
}

std::string pythonRounded(double Value, int Digits) {
  // printf rounds the exact binary value, half to even, as Python does.
  std::string Text = fmt::format("{:.{}f}", Value, Digits);
  return pythonFloat(std::strtod(Text.c_str(), nullptr));
}

} // namespace loopscope
