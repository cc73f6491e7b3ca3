// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wraps sentences to a width.

#ifndef LOOPSCOPE_REPORT_PRINT_WRAP_H
#define LOOPSCOPE_REPORT_PRINT_WRAP_H

#include <cstddef>
#include <string>

namespace loopscope {

/// \p Line with line breaks instead of blanks where it would exceed \p Width
/// columns; continuation lines are indented by two more than the first. A
/// longer word gets a line of its own. 0 means no limit.
std::string wrapWords(const std::string &Line, size_t Width);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_WRAP_H
