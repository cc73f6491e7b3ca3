/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which keys share a row, and from when on, for the runtime that makes the rows
 * and the reader that adds to them. C++ only.
 */
#ifndef LOOPSCOPE_KEY_ROWS_H
#define LOOPSCOPE_KEY_ROWS_H

#include <loopscope/profile_format.h>

namespace loopscope::keys {

/// The most exact keys: those of a call path that keys= may ask for, those of a
/// thread's tree, and the texts of a profile.
constexpr uint32_t MostOfPath = 4096;
constexpr uint32_t MostOfTree = 16384;
constexpr uint32_t MostTexts = 24576;
/// Nodes from this index on are of no exact key.
constexpr uint32_t MostNodes = 32768;

/// In the value of a LOOPSCOPE_KEY_RANGE: the first range of negative numbers,
/// and that of 0, the last of all.
constexpr uint64_t NegativeRanges = 64;
constexpr uint64_t ZeroRange = 128;

/// Whether the key VALUE, of a loopscope_key_type, is a number below 0. A
/// character may be, where char is signed.
constexpr bool isNegative(uint32_t Type, uint64_t Value) {
  return (Type == LOOPSCOPE_KEY_SIGNED || Type == LOOPSCOPE_KEY_CHAR) &&
         static_cast<int64_t>(Value) < 0;
}

/// The range that the number VALUE is in; see LOOPSCOPE_KEY_RANGE.
constexpr uint64_t rangeOf(uint32_t Type, uint64_t Value) {
  if (Value == 0)
    return ZeroRange;
  bool IsNegative = isNegative(Type, Value);
  uint64_t Size = IsNegative ? 0 - Value : Value;
  return (IsNegative ? NegativeRanges : 0) +
         (63U ^ static_cast<unsigned>(__builtin_clzll(Size)));
}

} // namespace loopscope::keys

#endif // LOOPSCOPE_KEY_ROWS_H
