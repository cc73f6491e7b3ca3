// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in csv files.

#ifndef LOOPSCOPE_REPORT_PRINT_CSV_H
#define LOOPSCOPE_REPORT_PRINT_CSV_H

#include <string>
#include <string_view>

namespace loopscope {

/// \p Text as a quoted field (RFC 4180). Unless \p Bare, text that a
/// spreadsheet would run as a formula (it starts with = + - @, a tab, a
/// carriage return or the wide forms of these, and isn't a number) is preceded
/// by ', which tells spreadsheets that it is text.
std::string csvText(std::string_view Text, bool Bare = false);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_CSV_H
