// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes foreign text safe for a terminal or a page.

#ifndef LOOPSCOPE_SUPPORT_PRINTABLE_H
#define LOOPSCOPE_SUPPORT_PRINTABLE_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace loopscope {

/// \p Text with '?' for every byte that isn't UTF-8, and for every invisible
/// character that changes how others are shown: controls (C0, C1, DEL), line
/// and paragraph separators, characters that set the writing direction, and
/// everything that Unicode calls default ignorable (zero-width spaces and
/// joiners, variation selectors, tags).
std::string printable(std::string_view Text);

/// \p Text in double quotes, for YAML: quotes and backslashes have a
/// backslash.
std::string doubleQuoted(std::string_view Text);

/// \p Text as one word of a shell's command: unchanged if it needs no quotes.
std::string shellQuoted(std::string_view Text);

/// Bytes in hexadecimal digits.
std::string hexadecimal(std::span<const uint8_t> Bytes);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_PRINTABLE_H
