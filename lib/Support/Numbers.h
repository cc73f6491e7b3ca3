// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How numbers look in reports. Every printer and view formats through these
// functions, so that a figure looks the same everywhere.

#ifndef LOOPSCOPE_SUPPORT_NUMBERS_H
#define LOOPSCOPE_SUPPORT_NUMBERS_H

#include <cstdint>
#include <string>

namespace loopscope {

/// What divides nanoseconds into seconds.
inline constexpr int64_t NsPerSecond = 1'000'000'000;

/// Nanoseconds as the nearest double in seconds.
inline double toSeconds(int64_t Ns) {
  return static_cast<double>(Ns) / NsPerSecond;
}

/// Like Python's format(Value, '.5') for a float: five significant digits
/// without trailing zeros, but at least one digit after the point; scientific
/// below 1e-4 and from 1e4. 539.63, 1.0, 5.1116e-05, 1.2345e+04.
std::string python5(double Value);

/// A duration with four significant digits and an SI prefix: "86.62ms",
/// "771.3µs", "35.63 s" (a space only before plain seconds), "-" for zero. From
/// 1000 s, whole seconds: "3600 s". \p Digits may ask for another number of
/// significant digits.
std::string siDuration(double Seconds, int Digits = 4);

/// A duration for reading: three significant digits, a space and the unit,
/// "86.6 ms", "35.6 s"; "-" for zero. \p Digits may ask for another number of
/// significant digits.
std::string readableDuration(double Seconds, int Digits = 3);

/// A size with up to four significant digits and a binary prefix: "768 B",
/// "12.5 MiB".
std::string siBytes(uint64_t Bytes);

/// A number with four significant digits and an SI prefix, "1.979 T"; "-" for
/// zero, without a prefix below 1000.
std::string siNumber(double Value);

/// Samples per second: whole from 10 up, three significant digits below.
std::string rate(double PerSecond);

/// Up to six significant digits: "12.5", "100".
std::string number(double Value);

/// A figure with three significant digits, without a unit: "0.0340", "12.0",
/// "1234"; scientific below 1e-4. "0" for zero.
std::string threeDigits(double Value);

/// The same for a percentage, with its sign if \p Sign: "+9.38%", "64.5%".
/// Below a hundredth of a percent, two decimals.
std::string threeDigitPercent(double Percent, bool Sign = false);

/// Exact seconds, without trailing zeros: 1500000000 is "1.5".
std::string exactSeconds(int64_t Nanoseconds);

/// A number with the fewest digits that read back as the same double, for csv
/// and json. Infinities and NaN are "".
std::string shortest(double Value);

/// \p Count and the noun, with "s" or "es" added unless the count is one: "1
/// span".
std::string counted(uint64_t Count, const char *Noun);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_NUMBERS_H
