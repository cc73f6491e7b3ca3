// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in sentences: texts mark it with backticks, and each printer shows it in
// its own way. page/dom.js has the same rule.

#ifndef LOOPSCOPE_REPORT_PRINT_CODE_H
#define LOOPSCOPE_REPORT_PRINT_CODE_H

#include <string>
#include <vector>

namespace loopscope {

struct TextPart {
  std::string Text; ///< without the backticks of code
  bool IsCode = false;
  bool operator==(const TextPart &) const = default;
};

/// \p Line in parts. Backticks that don't enclose words are text: a program's
/// names may contain some.
std::vector<TextPart> codeParts(const std::string &Line);

/// \p Line as a terminal shows it: code without its marks.
std::string withoutCodeMarks(const std::string &Line);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_CODE_H
