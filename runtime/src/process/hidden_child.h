// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child process that the program can't notice: no SIGCHLD comes from it, and
// no wait() finds it but one of another thread that asks for all children
// (__WALL) or for those without SIGCHLD (__WCLONE).

#ifndef LOOPSCOPE_PROCESS_HIDDEN_CHILD_H
#define LOOPSCOPE_PROCESS_HIDDEN_CHILD_H

namespace loopscope::runtime {

/// Runs FUNCTION(DATA) in a hidden child with all signals blocked, and waits
/// for it. Returns what the function returned; -1 if there is no child or it
/// was killed. The child has the caller's memory and suspends the calling
/// thread only, so the function may use no lock that another thread could hold.
/// It may start processes and wait for them; those are its children, not the
/// program's.
int runInHiddenChild(int (*Function)(void *), void *Data);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_HIDDEN_CHILD_H
