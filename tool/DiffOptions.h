// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `loopscope diff`.

#ifndef LOOPSCOPE_TOOL_DIFFOPTIONS_H
#define LOOPSCOPE_TOOL_DIFFOPTIONS_H

#include "Report/Commands/DiffCommand.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace loopscope {

/// Removes the two programs from the end of diff's \p Words, which are at least
/// one: "-- before ARGS -- after ARGS". Nothing is removed from other
/// commands'.
PairsRequest takePrograms(std::vector<std::string> &Words);

/// Adds the command to \p Main. Once it is parsed, it fills \p Request in,
/// runs, and sets \p Code. Both must outlive \p Main.
void addDiff(CLI::App &Main, DiffRequest &Request, int &Code);

} // namespace loopscope

#endif // LOOPSCOPE_TOOL_DIFFOPTIONS_H
