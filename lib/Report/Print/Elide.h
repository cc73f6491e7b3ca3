// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names cut in the middle, with a legend.

#ifndef LOOPSCOPE_REPORT_PRINT_ELIDE_H
#define LOOPSCOPE_REPORT_PRINT_ELIDE_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// Short forms and the full names they stand for, in order of first use.
using Legend = std::vector<std::pair<std::string, std::string>>;

/// Whether \p C is the first byte of a code point of UTF-8, not a further one.
inline bool startsCodePoint(char C) {
  return (static_cast<unsigned char>(C) & 0xc0) != 0x80;
}

/// How many terminal columns \p Text takes: its code points.
size_t displayWidth(const std::string &Text);

/// \p Text in at most \p Width columns: if it is longer, its end becomes "…".
std::string cutEnd(const std::string &Text, size_t Width);

/// \p Name in at most \p Width columns: if it is longer, its middle becomes
/// "…", and \p Used gets an entry. Leading blanks, a tree's indentation, stay.
/// Two names never get the same short form as long as there is room for a
/// number.
std::string elide(const std::string &Name, size_t Width, Legend &Used);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_ELIDE_H
