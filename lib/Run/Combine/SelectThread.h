// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile of one thread alone.

#ifndef LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H
#define LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H

#include "Run/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// How a thread is called in reports: "main", its name, or "thread 4711".
std::string threadName(const Thread &T);

/// From with what ran on the threads that WHICH names alone: by number, or by
/// the name in reports; threads of a trace without a tree have numbers. Device
/// work stays with the call paths, or with the calls, that launched it. Fails
/// when there is none, naming those that there are.
Result<Run> selectThread(Run From, const std::string &Which);

/// \p P with the threads and nodes that are marked, and with what refers to
/// them. Threads of the nodes stay, and so do these threads' roots; nodes whose
/// parent goes hang under the nearest node above that stays.
Run keptParts(Run P, const std::vector<bool> &KeptThreads,
              const std::vector<bool> &KeptNodes);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_COMBINE_SELECTTHREAD_H
