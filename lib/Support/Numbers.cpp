// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Number formats of the reports.

#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>

using namespace loopscope;

namespace {
// The decimal exponent of VALUE rounded to DIGITS significant digits.
int roundedExponent(double Value, int Digits) {
  std::string Text = fmt::format("{:.{}e}", Value, Digits - 1);
  return static_cast<int>(
      std::strtol(Text.c_str() + Text.find('e') + 1, nullptr, 10));
}

void stripZeros(std::string &Text, bool KeepOneDigit) {
  size_t Point = Text.find('.');
  if (Point == std::string::npos) {
    if (KeepOneDigit)
      Text += ".0";
    return;
  }
  size_t Last = Text.find_last_not_of('0');
  if (Last == Point)
    Last = KeepOneDigit ? Point + 1 : Point - 1;
  Text.erase(Last + 1);
}
} // namespace

std::string loopscope::python5(double Value) {
  if (!std::isfinite(Value))
    return std::isnan(Value) ? "nan" : Value < 0 ? "-inf" : "inf";
  constexpr int Digits = 5;
  int Exponent = Value == 0 ? 0 : roundedExponent(Value, Digits);
  if (Exponent >= -4 && Exponent < Digits - 1) {
    std::string Text = fmt::format("{:.{}f}", Value, Digits - 1 - Exponent);
    stripZeros(Text, true);
    return Text;
  }
  std::string Text = fmt::format("{:.{}e}", Value, Digits - 1);
  size_t Mark = Text.find('e');
  std::string Mantissa = Text.substr(0, Mark);
  stripZeros(Mantissa, false);
  return Mantissa + Text.substr(Mark);
}

std::string loopscope::siDuration(double Seconds, int Digits) {
  if (Seconds == 0 || !std::isfinite(Seconds))
    return "-";
  struct Prefix {
    int Exponent;
    const char *Text;
  };
  constexpr Prefix Prefixes[] = {
      {0, " s"}, {-3, "ms"}, {-6, "µs"}, {-9, "ns"}, {-12, "ps"}};
  // Rounding first: 0.9999999 s is 1.000 s, not 1000.ms.
  std::string Text = fmt::format("{:.{}e}", Seconds, Digits - 1);
  size_t Mark = Text.find('e');
  int Exponent =
      static_cast<int>(std::strtol(Text.c_str() + Mark + 1, nullptr, 10));
  Prefix Chosen = Prefixes[std::size(Prefixes) - 1];
  for (const Prefix &Each : Prefixes)
    if (Exponent >= Each.Exponent) {
      Chosen = Each;
      break;
    }
  int Before = Exponent - Chosen.Exponent + 1; // digits before the point
  if (Before < 1)
    return fmt::format("{:.3g}{}", Seconds * 1e12, Chosen.Text);
  if (Before >= Digits)
    return fmt::format("{:.0f}{}", Seconds * std::pow(10, -Chosen.Exponent),
                       Chosen.Text);
  Text.erase(Mark);
  size_t Point = Text.find('.');
  Text.erase(Point, 1);
  Text.insert(Point - 1 + static_cast<size_t>(Before), ".");
  return Text + Chosen.Text;
}

std::string loopscope::rate(double PerSecond) {
  if (!std::isfinite(PerSecond))
    return "-";
  if (std::abs(PerSecond) >= 9.995)
    return fmt::format("{:.0f}", PerSecond);
  return fmt::format("{:.3g}", PerSecond);
}

std::string loopscope::number(double Value) {
  return fmt::format("{:.6g}", Value);
}

std::string loopscope::threeDigits(double Value) {
  constexpr double Whole = 999.5, Scientific = 1e-4;
  double Size = std::abs(Value);
  if (Size == 0 || Size >= Whole)
    return fmt::format("{:.0f}", Value);
  if (Size < Scientific)
    return fmt::format("{:.2e}", Value);
  int Decimals = 2 - roundedExponent(Size, 3);
  return fmt::format("{:.{}f}", Value, Decimals);
}

std::string loopscope::threeDigitPercent(double Percent, bool Sign) {
  constexpr double Least = 0.00995;
  double Size = std::abs(Percent);
  std::string Text =
      Size < Least ? fmt::format("{:.2f}", Size) : threeDigits(Size);
  const char *Before = std::signbit(Percent) ? "-" : Sign ? "+" : "";
  return fmt::format("{}{}%", Before, Text);
}

std::string loopscope::exactSeconds(int64_t Nanoseconds) {
  constexpr auto PerSecond = static_cast<uint64_t>(NsPerSecond);
  bool Negative = Nanoseconds < 0;
  auto Size = static_cast<uint64_t>(Nanoseconds);
  if (Negative)
    Size = 0 - Size;
  std::string Text = fmt::format("{}{}.{:09}", Negative ? "-" : "",
                                 Size / PerSecond, Size % PerSecond);
  stripZeros(Text, false);
  return Text;
}

std::string loopscope::shortest(double Value) {
  return std::isfinite(Value) ? fmt::format("{}", Value) : std::string();
}

std::string loopscope::counted(uint64_t Count, const char *Noun) {
  std::string_view Last = Noun;
  const char *Ending = Last.ends_with("ch") || Last.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", Count, Noun, Count == 1 ? "" : Ending);
}

std::string loopscope::siNumber(double Value) {
  if (Value == 0 || !std::isfinite(Value))
    return "-";
  // Rounding first: 999.96 is 1.000 K.
  std::string Text = fmt::format("{:.3e}", Value);
  int Exponent = static_cast<int>(
      std::strtol(Text.c_str() + Text.find('e') + 1, nullptr, 10));
  constexpr std::string_view Prefixes = " KMGTPEZY";
  int Thousands =
      std::clamp(Exponent / 3, 0, static_cast<int>(Prefixes.size()) - 1);
  double Scaled = Value / std::pow(1000, Thousands);
  if (Thousands == 0)
    return number(Scaled) + " ";
  int Places = std::max(0, 3 - (Exponent - 3 * Thousands));
  return fmt::format("{:.{}f} {}", Scaled, Places,
                     Prefixes[static_cast<size_t>(Thousands)]);
}

std::string loopscope::readableDuration(double Seconds, int Digits) {
  std::string Text = siDuration(Seconds, Digits);
  size_t Unit = Text.find_last_of("0123456789 ") + 1;
  if (Unit > 0 && Unit < Text.size() && Text[Unit - 1] != ' ')
    Text.insert(Unit, " ");
  return Text;
}

std::string loopscope::siBytes(uint64_t Bytes) {
  constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto Value = static_cast<double>(Bytes);
  size_t Unit = 0;
  // Rounded to four digits, 1023.96 KiB is 1 MiB.
  while (Unit + 1 < std::size(Units) && Value >= 1023.95) {
    Value /= 1024;
    ++Unit;
  }
  return fmt::format("{:.4g} {}", Value, Units[Unit]);
}
