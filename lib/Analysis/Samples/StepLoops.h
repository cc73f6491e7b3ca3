// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judging: which loop of a tree of loops is likely to have a step in each pass.
//
//   1  from the outermost loop with most of the samples inwards, as long as a
//      pass is no step: what counts beside the inner loop is only validation,
//      which calls what the inner loop calls, or nothing. What saves or shows
//      doesn't count
//   2  a loop whose pass splits over different work has steps, and so does one
//      whose head or calls say so: batches, samples; backward, update
//      So have the iterations of a method that takes all data at once
//   3  a loop that says epochs is left for one in it, also where more than
//      validation is beside that one
//   4  so has the outermost loop of a thread or of a parallel region, unless it
//      says epochs or iterations, takes jobs of a pool, or shares out whole
//      methods: those with iterations or regions of their own
//   5  so has a loop that starts threads in each pass and waits for them, if
//      it doesn't say epochs
//   6  a loop without calls, or over the layers of a model, is a part of a
//      step, unless each layer has epochs of its own, or iterations are around
//      it and it does more than a loop in it
//
// Names decide where the structure could be either; Support/TrainingNames.h has
// them.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_STEPLOOPS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_STEPLOOPS_H

#include "Analysis/Samples/LoopTree.h"

#include <vector>

namespace loopscope {

/// Loops that a reader may want; null and empty if none has calls that count.
struct StepLoops {
  const LoopNode *Likeliest = nullptr;
  /// It takes jobs from other threads, as a pool does.
  bool Serves = false;
  bool IsOutput = false; ///< it saves or shows what another loop computed
  /// Others, likelier ones first: the nearest loop around it, loops in it, and
  /// loops beside it that don't validate.
  std::vector<const LoopNode *> Others;
};

/// \p IsWorker: the threads are not the main one.
StepLoops stepLoops(const LoopNode &Root, bool IsWorker, SourceFiles &Sources);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_STEPLOOPS_H
