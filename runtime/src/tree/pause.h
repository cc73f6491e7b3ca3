// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pauses of a thread's recording, which the program asks for. Outside steps,
// and to the end of the step in which it begins, a pause is a cut: its time is
// a span of its own node, "(paused)", and of nothing that is open around it.
// Steps that begin in a pause are excluded, as those outside the window are,
// and so is a step that ends in one. Nothing is opened meanwhile, except loops:
// so their steps are counted from the one on that begins after the pause.

#ifndef LOOPSCOPE_TREE_PAUSE_H
#define LOOPSCOPE_TREE_PAUSE_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Pauses recording on T, the calling thread, at NOW; each call needs a resume.
/// Call on a slow path.
void pauseRecording(Thread *T, uint64_t Now);
/// Takes back one pause at NOW. False: there is none.
bool resumeRecording(Thread *T, uint64_t Now);
/// The thread ends.
void forgetPauses(Thread *T);

/// While it exists, the tree of T, the calling thread, is as it was before the
/// pause, so that a hook can end what was open or begin a loop. Afterwards, the
/// pause goes on where the hook has left the thread.
class PauseLifted {
public:
  explicit PauseLifted(Thread *T);
  ~PauseLifted();
  PauseLifted(const PauseLifted &) = delete;
  PauseLifted &operator=(const PauseLifted &) = delete;

private:
  Thread *Paused; // null: it isn't
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_PAUSE_H
