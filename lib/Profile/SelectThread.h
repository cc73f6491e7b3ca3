// A profile of one thread alone.
#ifndef LOOPSCOPE_PROFILE_SELECTTHREAD_H
#define LOOPSCOPE_PROFILE_SELECTTHREAD_H

#include "Profile/KinetoTrace.h"
#include "Profile/Model.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// How a thread is called in reports: "main", its name, or "thread 4711".
std::string threadName(const Thread &T);

/// P with what ran on the threads that WHICH names alone: by number, or by the
/// name in reports. Device work stays with the call paths that launched it.
/// Fails when there is none, naming those that there are.
Result<Profile> selectThread(Profile P, const std::string &Which);

/// The same of a trace, whose threads have numbers. Device work stays where a
/// runtime call of the thread has launched it.
Result<KinetoTrace> selectThread(KinetoTrace Trace, const std::string &Which);

/// \p P with the threads and nodes that are marked, and with what refers to
/// them. Threads of the nodes stay, and so do these threads' roots; nodes whose
/// parent goes hang under the nearest node above that stays.
Profile keptParts(Profile P, const std::vector<bool> &KeptThreads,
                  const std::vector<bool> &KeptNodes);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_SELECTTHREAD_H
