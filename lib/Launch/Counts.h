// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds that gather or use execution counts: coverage and profiles.
//
// Hooks change the control flow of functions. Counts of a plain build must not
// break a build with hooks, and counts must be those of the program's lines.

#ifndef LOOPSCOPE_LAUNCH_COUNTS_H
#define LOOPSCOPE_LAUNCH_COUNTS_H

#include "Launch/CommandLine.h"
#include "Launch/Mirror.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// Whether \p Line counts by the lines of the file, whatever #line says, as
/// clang's source-based coverage does.
bool countsFileLines(const CommandLine &Line);

/// Names the source of \p M so that clang's optimizer can be told to count its
/// static functions under the original's name. \p Given is the mirror.
void nameForCounts(const CommandLine &Line, const std::string &Given,
                   Mirror &M);

/// Options for a compile of \p M by \p Line. If it uses counts, which may be a
/// plain build's, those of functions that hooks changed are left out without a
/// warning.
std::vector<std::string> optionsForCounts(const CommandLine &Line,
                                          const Mirror &M);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_COUNTS_H
