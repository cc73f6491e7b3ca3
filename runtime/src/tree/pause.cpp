// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pauses on the tree.

#include "pause.h"

#include "base/clock.h"
#include "cut.h"
#include "node_kinds.h"
#include "own_tree.h"
#include "profile/node_links.h"

using namespace loopscope::runtime;

constinit const loopscope_site loopscope::runtime::PauseSite = {
    LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(paused)", "", ""};

namespace {
// Makes the loops that T is in look at the next step's fate.
void lookAtNextSteps(Thread *T) {
  for (Node *N = links(T).Current; N != nullptr; N = nodeAround(N))
    if (N->kind == LOOPSCOPE_KIND_STEP)
      links(N).Step.NextChange = 0;
}

// Begins a cut where nothing else keeps spans from opening.
void interrupt(Thread *T, uint64_t Now) {
  if (isMuted(T))
    return;
  // Null if memory ran out; then steps alone are excluded.
  if (Node *Cut = links(rootOf(T)).Root.Pause) {
    beginCut(T, Cut, Now);
    chooseFast(T, true);
  }
}

void endInterruption(Thread *T, uint64_t Now) {
  if (!isPause(links(T).Current))
    return;
  endCut(T, links(T).Current, Now);
  chooseFast(T, isMuted(T));
}
} // namespace

void loopscope::runtime::pauseRecording(Thread *T, uint64_t Now) {
  if (links(T).Pauses++ != 0)
    return;
  __atomic_store_n(&links(rootOf(T)).Root.Pause, cutNode(T, &PauseSite),
                   __ATOMIC_RELEASE);
  lookAtNextSteps(T);
  interrupt(T, Now);
}

bool loopscope::runtime::resumeRecording(Thread *T, uint64_t Now) {
  if (links(T).Pauses == 0)
    return false;
  if (--links(T).Pauses == 0) {
    lookAtNextSteps(T);
    endInterruption(T, Now);
  }
  return true;
}

void loopscope::runtime::forgetPauses(Thread *T) { links(T).Pauses = 0; }

PauseLifted::PauseLifted(Thread *T)
    : Paused(links(T).Pauses != 0 ? T : nullptr) {
  if (Paused != nullptr)
    endInterruption(Paused, now());
}

PauseLifted::~PauseLifted() {
  if (Paused != nullptr && links(Paused).Pauses != 0)
    interrupt(Paused, Paused->last_ticks);
}
