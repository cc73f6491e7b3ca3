// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree of call paths of a trace, summed up from its events, so that the
// views of call paths need no second code.
//
//   ProfilerStep#N                  -> a step of one training loop
//   the data loader's next inside   -> the step's draw; all else is its batch
//   annotations of waits            -> waits
//   annotations of collectives      -> collectives
//   other annotations, Optimizer.*  -> phases
//   operators and Python functions  -> functions

#ifndef LOOPSCOPE_RUN_MODEL_CALLTREE_H
#define LOOPSCOPE_RUN_MODEL_CALLTREE_H

#include "Run/Model/Run.h"

namespace loopscope {

/// Whether addTree also finds the node of each event. OfPhases is for callers
/// who need phases only: operators and functions inside phases, whose time is
/// the phase's, may then have no node, which saves most of the work.
enum class EventNodes { No, Yes, OfPhases };

/// Fills in the sites, nodes and threads of \p To, a trace, and its wall time,
/// from its events; depending on \p Wanted, also EventStream::NodeOf and
/// ThreadOf.
/// \p Lanes gets the calls as spans of threads, with exactly the tree's times,
/// since the first event. Device work isn't part of a tree's times. A tree that
/// is there already stays unless \p Lanes is given, and a profile, whose tree
/// was recorded, is left alone.
///
/// Device work belongs to the innermost call around its launch on the launching
/// thread. If no phase is around that, as on the thread of a backward pass, it
/// belongs to what the main thread did at the time. Our own runs do the same.
void addTree(Run &To, EventNodes Wanted = EventNodes::No,
             ThreadLanes *Lanes = nullptr);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_CALLTREE_H
