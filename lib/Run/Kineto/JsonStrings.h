// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unescapes JSON strings.

#ifndef LOOPSCOPE_RUN_KINETO_JSONSTRINGS_H
#define LOOPSCOPE_RUN_KINETO_JSONSTRINGS_H

#include <string>
#include <string_view>

namespace loopscope {

/// The text between a string's quotes with its escapes resolved. Lone
/// surrogates become U+FFFD; unknown escapes lose their backslash.
std::string unescapeJson(std::string_view Raw);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_JSONSTRINGS_H
