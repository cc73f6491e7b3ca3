// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that distinguishes input files: from a path to the run in the
// file.

#ifndef LOOPSCOPE_REPORT_COMMANDS_INPUT_H
#define LOOPSCOPE_REPORT_COMMANDS_INPUT_H

#include "Report/Views/View.h"
#include "Run/Model/Run.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// \p Paths with each directory replaced by the profiles and traces in it, by
/// name, and each merged file by those of its ranks whose own profile isn't
/// among them.
Result<std::vector<std::string>>
expandInputs(const std::vector<std::string> &Paths);

/// \p Paths without files that are there twice, by whatever names, which it
/// says on standard error, and without ranks of a merged file whose own profile
/// is there.
std::vector<std::string> onceEach(const std::vector<std::string> &Paths);

/// Reads the file at \p Path, or standard input if it is "-", as far as \p
/// Options want it: one thread, MaxInflated. Profiles and Kineto traces are
/// recognised by their first bytes, never by their name.
Result<Run> readInput(const std::string &Path, const ViewOptions &Options,
                      WithTimeline Events = WithTimeline::No);

/// Whether \p From is of the rank that \p Options ask for.
bool isWanted(const Run &From, const ViewOptions &Options);

/// The message if no input was of that rank.
std::string noSuchRank(const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_INPUT_H
