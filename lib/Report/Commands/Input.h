// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that tells input files apart: from a path to the run that the
// file holds.

#ifndef LOOPSCOPE_REPORT_COMMANDS_INPUT_H
#define LOOPSCOPE_REPORT_COMMANDS_INPUT_H

#include "Report/Views/View.h"
#include "Run/Read/ProfileReader.h"
#include "Run/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// PATHS with each directory replaced by the profiles and traces in it, by
/// name, and each merged file by the ranks in it that have no profile of their
/// own among them.
Result<std::vector<std::string>>
expandInputs(const std::vector<std::string> &Paths);

/// Reads the file at PATH, or standard input where PATH is "-", as far as
/// OPTIONS want it: one thread, MaxInflated. Profiles and Kineto traces
/// are told apart by their first bytes, never by their name.
Result<Run> readInput(const std::string &Path, const ViewOptions &Options,
                      WithTimeline Events = WithTimeline::No);

/// Whether FROM is of the rank that OPTIONS want.
bool isWanted(const Run &From, const ViewOptions &Options);

/// What to say when no input was of that rank.
std::string noSuchRank(const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_INPUT_H
