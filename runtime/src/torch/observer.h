// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOOPSCOPE=operators: LibTorch's operators as spans of kind operator, below
// the phase whose thread runs them. LibTorch calls us at each one's beginning
// and end; no header of it and no rebuild takes part.
//
// What may end on another thread than the one it began on (asynchronous
// collectives) is no span; it is counted and left out.

#ifndef LOOPSCOPE_TORCH_OBSERVER_H
#define LOOPSCOPE_TORCH_OBSERVER_H

namespace loopscope::runtime {

/// Registers the counters. When the extension starts.
void registerOperators();

/// Looks for LibTorch where objects were loaded since the last look, and has it
/// call us from then on. Says in one line why that can't be. Any thread.
void lookForTorch();

/// Says why operators were recorded without the shapes that were asked for.
/// When the run ends.
void explainMissingShapes();

/// The calling thread ends. On a slow path, while it has its tree.
void endTorchOfThread();

/// For a forked child: nobody else is in here.
void resetTorchAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_OBSERVER_H
