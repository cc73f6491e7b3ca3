// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The critical path of a run's steps: where saving time would shorten them. All
// arithmetic of the path view.
//
// The path is followed backwards from the end of the thread that runs the
// steps, once for all of them. It doesn't restart at each step's end, because a
// step may end while whatever holds up the loop is on another thread or a
// device. Each step gets the part of the path between its start and its end, so
// the parts add up to the step's duration, to the nanosecond.

#ifndef LOOPSCOPE_ANALYSIS_PATH_CRITICALPATH_H
#define LOOPSCOPE_ANALYSIS_PATH_CRITICALPATH_H

#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A phase's part of the path, over the steps of a stage.
struct PathPhase {
  std::string Name;     ///< "forward"; "forward (GPU)": what it launched
  int64_t OnPathNs = 0; ///< own time, without inner phases
  size_t OnPathSteps = 0;
  /// How much longer the phase could have taken per step, averaged over the
  /// steps in which that is known; none if there are none.
  std::optional<int64_t> SlackNs;
};

/// The path of the outermost steps of a stage: those of its training loops or,
/// without any, of its other loops.
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

/// The paths of \p R, which was read with its whole timeline, in the order of
/// \p All.
std::vector<StagePath> criticalPaths(const Run &R, const Stages &All);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_PATH_CRITICALPATH_H
