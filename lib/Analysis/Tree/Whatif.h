// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What experiments (Run/Model/Whatif.h) show about each phase: by how much a
// step grows when the phase grows. The estimate itself is in
// loopscope/whatif_estimate.h, which cites its formula.

#ifndef LOOPSCOPE_ANALYSIS_TREE_WHATIF_H
#define LOOPSCOPE_ANALYSIS_TREE_WHATIF_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// Where a phase's interval lies; Thresholds.h has the borders.
enum class WhatifVerdict {
  Critical, ///< a step grows by most of what the phase grows by
  Partly,
  Hidden, ///< a step hardly grows
  Unknown ///< the interval is too wide to tell
};
const char *wordOf(WhatifVerdict Verdict);

/// What is known of a phase.
struct WhatifRow {
  uint32_t Node = None;    ///< the first of the phase's
  uint32_t Loop = None;    ///< whose steps were measured
  double PhaseSeconds = 0; ///< per step, on all threads together
  double StepSeconds = 0;  ///< of a step without experiments
  bool HasSlope = false;   ///< there were three experiments
  double Slope = 0;
  double Low = 0; ///< of the 95 % interval
  double High = 0;
  /// By how much a step gets shorter if the phase gets 10 % shorter, in
  /// percent; at least 0, and at most the time saved in the phase. Only if the
  /// verdict isn't Unknown.
  double SavesPercent = 0;
  WhatifVerdict Verdict = WhatifVerdict::Unknown;
  uint32_t Blocks = 0; ///< experiments
  /// None was possible: what the phase would grow by is too little to add it in
  /// every step.
  bool IsTooShort = false;
  /// The interval lies outside 0 to 1, where no slope can be.
  bool IsNoise = false;
  bool IsNarrow = false; ///< no more are needed
  /// Takes less than WhatifShort of a step, and others take more.
  bool IsShort = false;
};

struct WhatifResult {
  std::vector<WhatifRow> Rows; ///< the most useful first
  uint64_t Steps = 0;          ///< of all complete blocks
  /// The number of steps still needed for narrow intervals of the phases that
  /// aren't short, estimated from the variance so far; 0 if none are, or if
  /// that is more than a run makes.
  uint64_t StepsMissing = 0;
  bool IsOutOfReach = false; ///< it is more
  /// A row whose slope isn't 1 although it should be: nothing was recorded that
  /// runs beside the loop, or for which it waits. Then the experiments show
  /// nothing here, and no row has a verdict. None if there is none.
  uint32_t Refuted = None;
  bool IsDone = false;         ///< all rows are narrow
  bool IsShortMissing = false; ///< a short phase's isn't
};

WhatifResult whatifOf(const Run &R);

/// "loader / decode": the names of the phases and loops above and of N itself.
std::string whatifPath(const Run &R, uint32_t N);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_WHATIF_H
