// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How names in a trace spell what events stand for: PyTorch's own names, and
// those by which `loopscope export --to chrome` writes what PyTorch has no word
// for.

#ifndef LOOPSCOPE_RUN_KINETO_EVENTNAMES_H
#define LOOPSCOPE_RUN_KINETO_EVENTNAMES_H

#include "Run/Model/Events.h"

#include <string>

namespace loopscope {

/// Fills in what the events of \p Of, a trace that was just read, stand for, by
/// their names, from which it takes what says that. Returns whether the trace
/// is such an export; without a draw in it, nobody can tell.
bool readNames(EventStream &Of);

/// The name of \p Event, one of a profile (TimelineEvents.h), in its export.
std::string exportedName(const EventStream &Of, const TraceEvent &Event);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_EVENTNAMES_H
