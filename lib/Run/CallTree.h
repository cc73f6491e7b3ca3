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

#ifndef LOOPSCOPE_RUN_CALLTREE_H
#define LOOPSCOPE_RUN_CALLTREE_H

#include "Run/Run.h"

namespace loopscope {

/// True for what `loopscope export --to chrome` writes, which has the run's
/// stages and loops as annotations.
bool isOwnExport(const EventStream &Trace);

/// Whether addTree also says which node each event belongs to. OfPhases is for
/// those who look at phases alone: operators and functions inside phases, whose
/// time is theirs, may have no node, which spares most of the work.
enum class EventNodes { No, Yes, OfPhases };

/// Fills the sites, nodes and threads of \p To, a trace, and its wall time,
/// from its events; with \p Wanted also EventStream::NodeOf. Device work has no
/// place in a tree's times. What is there already stays, and a profile, whose
/// tree was recorded, is left as it is.
///
/// Device work belongs to the innermost call around its launch on the launching
/// thread; where no phase is around that, as on the thread of a backward pass,
/// to what the main thread did at the time. That is what our own runs do.
void addTree(Run &To, EventNodes Wanted = EventNodes::No);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_CALLTREE_H
