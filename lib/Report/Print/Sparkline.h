// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of small columns that show how a figure developed.

#ifndef LOOPSCOPE_REPORT_PRINT_SPARKLINE_H
#define LOOPSCOPE_REPORT_PRINT_SPARKLINE_H

#include <string>
#include <vector>

namespace loopscope {

/// One character for each of \p Values, which aren't negative: the largest is a
/// full column, 0 an empty one; blank is no number. \p Utf8: in eighths of a
/// line, else in ASCII.
std::string sparkline(const std::vector<double> &Values, bool Utf8);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_SPARKLINE_H
