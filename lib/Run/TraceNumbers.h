// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a trace, exact: a time stamp in microseconds since 1970 has more
// digits than a double keeps when it has decimals.

#ifndef LOOPSCOPE_RUN_TRACENUMBERS_H
#define LOOPSCOPE_RUN_TRACENUMBERS_H

#include <cstdint>
#include <string_view>

namespace loopscope {

/// Reads \p Text, microseconds, as nanoseconds; digits behind the third decimal
/// are cut off. False when it is no finite number ("NaN", "null", "N/A") or its
/// size is above 2^61 ns.
bool parseMicroseconds(std::string_view Text, int64_t &Nanoseconds);

/// Reads a whole number; false when \p Text is none or doesn't fit.
bool parseWhole(std::string_view Text, int64_t &Value);

/// Reads a finite number; false when \p Text is none.
bool parseReal(std::string_view Text, double &Value);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_TRACENUMBERS_H
