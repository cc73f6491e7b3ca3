// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a node's time that is its own, and the profiler's part.

#ifndef LOOPSCOPE_RUN_READ_SELFTIMES_H
#define LOOPSCOPE_RUN_READ_SELFTIMES_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/SumsReader.h"

namespace loopscope {

/// Computes Node::SelfNs and HookNs of \p R, whose nodes stand after their
/// parents, from their inclusive times and what parts of the runtime report
/// about themselves in \p Sums. A parent that is shorter than its children,
/// because it was read before one finished, is made as long as they are; where
/// no live profile or clock explains that, it counts as damaged. The run is at
/// least as long as its main thread.
void addUpTimes(const NamedSums &Sums, const Clock &Ticks, Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SELFTIMES_H
