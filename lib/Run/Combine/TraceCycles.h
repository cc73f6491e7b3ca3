// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the traces that one process wrote one after another: with a schedule
// that repeats, PyTorch's profiler writes a file for each cycle.

#ifndef LOOPSCOPE_RUN_COMBINE_TRACECYCLES_H
#define LOOPSCOPE_RUN_COMBINE_TRACECYCLES_H

#include "Run/Model/Run.h"

#include <optional>
#include <vector>

namespace loopscope {

/// Joins the cycles of each process among runs, if they come one after another.
/// Two traces are cycles of one process if they name the same host, process and
/// rank, have their times since the same moment, and don't overlap. For traces
/// that name no host, their files must have names WORKER.SPAN.pt.trace.json of
/// the same worker, as torch.profiler.tensorboard_trace_handler gives them.
/// Keeps one process in memory.
class CycleJoiner {
public:
  /// Takes the next run, and returns one that is complete, if there is any.
  std::optional<Run> add(Run Next);

  /// The last one; none if nothing was added since.
  std::optional<Run> finish();

  bool isEmpty() const { return Cycles.empty(); }

private:
  std::vector<Run> Cycles; ///< of one process
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_TRACECYCLES_H
