// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which facts of runs differ between two sides.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_FACTCHANGES_H
#define LOOPSCOPE_ANALYSIS_COMPARE_FACTCHANGES_H

#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// A fact that differs. Its values on each side, each once; none: no run of
/// that side says it.
struct FactChange {
  std::string Name;
  std::vector<FactValue> Before, After;
};

/// The facts whose values differ between the runs of two sides, in the order in
/// which they come; then program and command line, if all runs know them.
std::vector<FactChange> changedFacts(const std::vector<Run> &Before,
                                     const std::vector<Run> &After);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_FACTCHANGES_H
