// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules of a selection matched in a program, judged when it is linked.
//
// Make knows no end of a build. So a compile with hooks leaves a note of what
// the rules matched in a section that is never loaded (hooks.h), and the linked
// program holds the notes of all its objects and archives' members.

#ifndef LOOPSCOPE_LAUNCH_RULENOTES_H
#define LOOPSCOPE_LAUNCH_RULENOTES_H

#include "Launch/CommandLine.h"
#include "Launch/Record.h"

#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// A note of \p Rules: letters and digits, the same in every directory, or ""
/// if there are none. It has at most 96 KiB; of more rules it says that they
/// are too many, and links say nothing.
std::string ruleNote(const std::vector<RuleOutcome> &Rules);

/// The sum of the notes in \p File, the contents of a program or library,
/// that come from the selection at absolute path \p Select.
std::vector<RuleOutcome> readRuleNotes(std::string_view File,
                                       const std::string &Select);

/// Whether \p Line links a program of which rules can be judged: it is no part
/// of another, and no program by which configure, CMake or Meson try the
/// compiler, whose messages they read.
bool canJudgeRules(const CommandLine &Line, const std::string &Directory);

/// What is wrong with the rules of \p Select in the program that \p Line has
/// linked: lines with newlines, or "". Rules may match in the program's own
/// shared libraries, too; where one of those can't be searched, nothing is
/// said.
std::string linkedRuleWarnings(const CommandLine &Line,
                               const std::string &Select,
                               const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_RULENOTES_H
