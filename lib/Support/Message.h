// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-line messages on standard error.

#ifndef LOOPSCOPE_SUPPORT_MESSAGE_H
#define LOOPSCOPE_SUPPORT_MESSAGE_H

#include <string_view>

namespace loopscope {

/// Prints "PROGRAM: KIND: TEXT", with foreign parts of \p Text made printable.
/// Does nothing if standard error can't be written.
void printMessage(std::string_view Kind, std::string_view Text);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_MESSAGE_H
