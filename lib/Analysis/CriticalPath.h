// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The critical path of a run's steps: what their time would have to be saved
// on. All arithmetic of the path view.
//
// The path is followed back from the end of the thread that has the steps, once
// for all of them, so that it doesn't begin anew at each step's end: a step
// may end while what holds up the whole loop is on another thread or a device.
// Each step has what of the path lies between its start and its end: parts of
// the path add up to the step's duration, to the nanosecond.

#ifndef LOOPSCOPE_ANALYSIS_CRITICALPATH_H
#define LOOPSCOPE_ANALYSIS_CRITICALPATH_H

#include "Run/Run.h"
#include "Run/Stages.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A phase's part of the path of the steps of a stage.
struct PathPhase {
  std::string Name;     ///< "forward"; "forward (GPU)": what it launched
  int64_t OnPathNs = 0; ///< own time, without inner phases
  size_t OnPathSteps = 0;
  /// How much longer the phase could have taken in a step, on the average of
  /// the steps in which this is known; none: in none.
  std::optional<int64_t> SlackNs;
};

/// The path of the outermost steps of one stage: those of its training loops,
/// or, where it has none, of its other loops.
struct StagePath {
  loopscope_kind Stage = LOOPSCOPE_KIND_ROOT; ///< as in Stages::Of
  std::vector<PathPhase> Phases; ///< with those off the path; longest first
  size_t Steps = 0;
  int64_t StepsNs = 0;
  size_t LeftOut = 0; ///< in the timeline, but without all that ran then
  uint64_t Begun = 0; ///< in the whole run
  size_t Edges = 0;   ///< where the path changes threads or streams
  size_t Guessed = 0; ///< of Edges: known from times alone
};

/// The paths of P, which has its whole timeline, in the order of ALL.
std::vector<StagePath> criticalPaths(const Run &P, const Stages &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_CRITICALPATH_H
