// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope diff --format html`: both sides on one page.

#ifndef LOOPSCOPE_REPORT_COMMANDS_DIFFPAGE_H
#define LOOPSCOPE_REPORT_COMMANDS_DIFFPAGE_H

#include "Analysis/Compare/Diff.h"
#include "Report/Views/View.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// What a page of a comparison shows beside its sides.
struct DiffOfPage {
  std::vector<StageChange> Stages;
  DiffMethod How;
  Section Tables; ///< without those of facts
  Table Facts;    ///< that differ; without columns if none does
};

/// The runs of a side as one.
Run mergedSide(std::vector<Run> Runs);

/// The page of both sides, with the runs of each merged. An error if this build
/// can't make it. \p Names are the sides'.
Result<std::string> diffPage(std::vector<Run> Before, std::vector<Run> After,
                             const std::pair<std::string, std::string> &Names,
                             DiffOfPage Diff, const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_DIFFPAGE_H
