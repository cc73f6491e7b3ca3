// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections on several processes: those of one run side by side, and notes on
// who they are.

#ifndef LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H
#define LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H

#include "Report/Views/View.h"

#include <string>
#include <vector>

namespace loopscope {

/// View \p Which, one of several runs, of the ranks among \p All; if the files
/// are of more than one run, of the one that started last. The footer says what
/// was left out and what is contradictory, and has each line that several of
/// them share once.
Result<Section> sideBySide(std::vector<Run> All, const View &Which,
                           const ViewOptions &Options);

/// The ranks in \p All of the run that started last, by rank; a rank claimed by
/// several processes is left out. \p Notes: what was left out and why.
std::vector<Run> newestRanks(std::vector<Run> All,
                             std::vector<std::string> &Notes);

/// Contradictions in who \p All claim to be, for a report on all of them; one
/// sentence each.
std::vector<std::string> rollCallNotes(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H
