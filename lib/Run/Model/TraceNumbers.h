// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a trace's numbers exactly: a time stamp in microseconds since 1970
// with decimals has more digits than a double keeps.

#ifndef LOOPSCOPE_RUN_MODEL_TRACENUMBERS_H
#define LOOPSCOPE_RUN_MODEL_TRACENUMBERS_H

#include <cstdint>
#include <string_view>

namespace loopscope {

/// Reads \p Text, microseconds, as nanoseconds; digits after the third decimal
/// are cut off. False if it isn't a finite number ("NaN", "null", "N/A") or
/// exceeds 2^61 ns.
bool parseMicroseconds(std::string_view Text, int64_t &Nanoseconds);

/// Reads a whole number; false if \p Text isn't one or doesn't fit.
bool parseWhole(std::string_view Text, int64_t &Value);

/// Reads a finite number; false if \p Text isn't one.
bool parseReal(std::string_view Text, double &Value);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_TRACENUMBERS_H
