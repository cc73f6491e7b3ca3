// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `loopscope view`.

#ifndef LOOPSCOPE_TOOL_VIEWCOMMANDLINE_H
#define LOOPSCOPE_TOOL_VIEWCOMMANDLINE_H

#include "Report/Commands/ViewCommand.h"

#include <CLI/CLI.hpp>

namespace loopscope {

/// Adds the command to \p Main. Once it is parsed, it fills \p Request in,
/// runs, and sets \p Code. Both must outlive \p Main.
void addView(CLI::App &Main, ViewRequest &Request, int &Code);

} // namespace loopscope

#endif // LOOPSCOPE_TOOL_VIEWCOMMANDLINE_H
