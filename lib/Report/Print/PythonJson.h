// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as Python's json.dumps writes them, for documents that must match
// Python's byte for byte.

#ifndef LOOPSCOPE_REPORT_PRINT_PYTHONJSON_H
#define LOOPSCOPE_REPORT_PRINT_PYTHONJSON_H

#include <string>
#include <string_view>

namespace loopscope {

/// \p Text, UTF-8, in quotes and with everything but printable ASCII escaped.
std::string pythonString(std::string_view Text);

/// A float: the fewest digits that read back the same, and always a point or
/// an exponent: 1.0, 0.1, 1e+16.
std::string pythonFloat(double Value);

/// round(\p Value, \p Digits), written as a float.
std::string pythonRounded(double Value, int Digits);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_PYTHONJSON_H
