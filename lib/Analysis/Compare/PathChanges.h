// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call paths of both sides as one tree, with the change of each: what a
// differential icicle draws.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_PATHCHANGES_H
#define LOOPSCOPE_ANALYSIS_COMPARE_PATHCHANGES_H

#include "Analysis/Compare/ActionRows.h"
#include "Analysis/Compare/ComparedSteps.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// Paths of one kind and name below the same path. Times and spans per step.
struct PathChange : TimeChange {
  std::string Name;
  loopscope_kind Kind = LOOPSCOPE_KIND_ROOT;
  uint32_t Parent = None; ///< less than the path's own index
  /// Its width where both sides are seen: its time on the side where that is
  /// longer, or the sum of this of the paths below it if that is more.
  double LargerNs = 0;
  const ActionChange *Row = nullptr; ///< of the tables, that it counts for
  /// Paths without a row, such as functions, are tested by themselves, and
  /// corrected together.
  std::optional<MeanTest> Own;

  const std::optional<MeanTest> &test() const { return Row ? Row->Test : Own; }
};

/// The paths in the steps that are compared, parents before children and
/// siblings by their time on the side where it is longer. The first is the
/// step, whose times are those of stepChange().
std::vector<PathChange> pathChanges(const ComparedSteps &Of,
                                    const std::vector<StageChange> &Stages,
                                    const DiffMethod &How);

/// Leaves the \p Most paths with the most time on either side, and returns the
/// number of the others. Their time stays in the paths above them.
size_t keepLongestPaths(std::vector<PathChange> &Paths, size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_PATHCHANGES_H
