// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces a profile to some of its threads.

#ifndef LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H
#define LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// A thread's name in reports: "main", its own name, or "thread 4711".
std::string threadName(const Thread &T);

/// \p From reduced to what ran on the threads that \p Which names: by number,
/// or by their name in reports. Threads of a trace without a tree only have
/// numbers. Device work stays with the call paths, or the calls, that launched
/// it. Fails if there is no such thread, and names the existing ones.
Result<Run> selectThread(Run From, const std::string &Which);

/// \p R reduced to the marked threads and nodes, and to what refers to them.
/// Threads that own a remaining node stay, with their roots. A node whose
/// parent is removed moves to the nearest remaining node above it.
Run keptParts(Run R, const std::vector<bool> &KeptThreads,
              const std::vector<bool> &KeptNodes);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H
