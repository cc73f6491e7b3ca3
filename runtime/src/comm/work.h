// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's work between two collectives: how long it took, and which phases
// took most of it. Lets a report explain why a rank came late.

#ifndef LOOPSCOPE_COMM_WORK_H
#define LOOPSCOPE_COMM_WORK_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// See loopscope_collective.
struct HostWork {
  struct Phase {
    uint32_t Node;
    float Ticks; ///< self time
  };
  uint64_t Ticks;
  uint64_t Step;
  uint32_t Count; ///< number of phases; LOOPSCOPE_NONE: unknown
  Phase Phases[LOOPSCOPE_COLLECTIVE_PHASES];
};

/// The outermost step that N is in or is itself; null: none.
Node *outermostStep(Node *N);

/// The number of N's step in the outermost loop over batches; 0 outside one.
uint64_t stepOf(Node *N);

/// Whether N is inside another collective, whose time includes it.
bool isInCollective(const Node *N);

/// Sums up the calling thread's work before the collective N, which begins at
/// NOW, for workBefore().
void lookAtWork(Node *N, uint64_t Now);

/// The work before the last collective; null if out of memory.
const HostWork *workBefore();

/// The calling thread's last collective ended at NOW.
void beginWork(uint64_t Now);

/// The calling thread's next collective isn't recorded, so what it did before
/// the one after that isn't known. On a slow path.
void loseWork();

/// The calling thread ends, or was forked.
void forgetWork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_WORK_H
