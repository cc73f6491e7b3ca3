// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that need not nest, on as many lanes as run at once: on each, one
// follows the other.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_RANGELANES_H
#define LOOPSCOPE_ANALYSIS_STEPS_RANGELANES_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A lane of the ranges of one process.
struct RangeLane {
  std::string Name;            ///< "ranges", or of a merged run "rank 3 ranges"
  std::vector<uint32_t> Spans; ///< in Run::RangeSpans, by start
};

/// The lanes by process. Each range is on the first lane that is free when it
/// begins.
std::vector<RangeLane> rangeLanes(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_RANGELANES_H
