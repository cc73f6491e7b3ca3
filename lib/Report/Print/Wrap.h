// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences on lines of a given width.

#ifndef LOOPSCOPE_REPORT_PRINT_WRAP_H
#define LOOPSCOPE_REPORT_PRINT_WRAP_H

#include <cstddef>
#include <string>

namespace loopscope {

/// LINE with line breaks in place of blanks where it would be wider than WIDTH
/// columns; the lines that follow are indented by two more than the first. A
/// word that is wider than that has a line of its own. 0: there is no limit.
std::string wrapWords(const std::string &Line, size_t Width);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_WRAP_H
