// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections on several processes: those of one run side by side, and what is to
// be said of who they are.

#ifndef LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H
#define LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H

#include "Report/Views/View.h"

#include <string>
#include <vector>

namespace loopscope {

/// View \p Which, which is of several runs, of the ranks among \p All: where
/// the files are of more than one run, of that which started last. The footer
/// says what was left out and what contradicts itself, and has each line that
/// several of them have once.
Result<Section> sideBySide(std::vector<Run> All, const View &Which,
                           const ViewOptions &Options);

/// The ranks among \p All of the run that started last, by rank; a rank that
/// several claim is none. \p Notes: what was left out and why.
std::vector<Run> newestRanks(std::vector<Run> All,
                             std::vector<std::string> &Notes);

/// What contradicts itself in who \p All say they are, for a report on all of
/// them; one sentence each.
std::vector<std::string> rollCallNotes(const std::vector<Run> &All);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_SIDEBYSIDE_H
