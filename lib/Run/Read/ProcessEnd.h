// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a profile's process ended, where the profile itself can't say: a signal
// or _exit() ends a process without a word, and the runtime handles no signals.

#ifndef LOOPSCOPE_RUN_READ_PROCESSEND_H
#define LOOPSCOPE_RUN_READ_PROCESSEND_H

#include "Run/Model/Run.h"

#include <string>

namespace loopscope {

/// Whether \p R was recorded on this host.
bool isHere(const Run &R);

/// Whether the process of \p R, which was recorded on this host and hasn't said
/// that it ended, is gone: there is no such process, none of its threads will
/// run again (it was killed, or its parent hasn't asked for its exit code yet),
/// or its number belongs to a later one.
bool isGone(const Run &R);

/// Completes the profile \p Path by what wait() said of its process: writes
/// \p Status, a wait status, into it, if process \p Pid of this host made it;
/// with the current time as the run's end unless the profile has one. Does
/// nothing if the file can't be written.
void recordEnd(const std::string &Path, int Pid, int Status);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_PROCESSEND_H
