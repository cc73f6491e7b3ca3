// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a trace's numbers: digits straight to integers; the rare exponent goes
// through a double.

#include "Run/Model/TraceNumbers.h"

#include <charconv>
#include <cmath>

namespace loopscope {
namespace {

constexpr double LargestNanoseconds = 2305843009213693952.0; // 2^61

bool isDigit(char C) { return C >= '0' && C <= '9'; }

} // namespace

bool parseReal(std::string_view Text, double &Value) {
  const char *End = Text.data() + Text.size();
  auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  return Code == std::errc() && Stop == End && std::isfinite(Value);
}

bool parseWhole(std::string_view Text, int64_t &Value) {
  const char *End = Text.data() + Text.size();
  auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  if (Code == std::errc() && Stop == End)
    return true;
  double Real = 0;
  if (!parseReal(Text, Real) || std::abs(Real) > 9007199254740992.0 ||
      Real != std::floor(Real))
    return false;
  Value = static_cast<int64_t>(Real);
  return true;
}

bool parseMicroseconds(std::string_view Text, int64_t &Nanoseconds) {
  const char *At = Text.data();
  const char *End = At + Text.size();
  bool Negative = At != End && *At == '-';
  if (Negative)
    ++At;
  // Sixteen digits before the point reach the year 2286.
  constexpr int MostDigits = 16;
  uint64_t Value = 0;
  int Digits = 0;
  for (; At != End && isDigit(*At) && Digits <= MostDigits; ++At, ++Digits)
    Value = Value * 10 + static_cast<uint64_t>(*At - '0');
  int Decimals = 0;
  if (Digits > 0 && At != End && *At == '.') {
    ++At;
    for (; At != End && isDigit(*At); ++At)
      if (Decimals < 3) {
        Value = Value * 10 + static_cast<uint64_t>(*At - '0');
        ++Decimals;
      }
  }
  if (Digits == 0 || At != End || Digits > MostDigits) {
    double Real = 0;
    if (!parseReal(Text, Real) || std::abs(Real) * 1000 > LargestNanoseconds)
      return false;
    Nanoseconds = static_cast<int64_t>(std::llround(Real * 1000));
    return true;
  }
  for (; Decimals < 3; ++Decimals)
    Value *= 10;
  if (static_cast<double>(Value) > LargestNanoseconds)
    return false;
  auto Size = static_cast<int64_t>(Value);
  Nanoseconds = Negative ? -Size : Size;
  return true;
}

} // namespace loopscope
