// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does between two collectives: how long, and which phases took
// the most of it. So a report can say why a rank came late.

#ifndef LOOPSCOPE_COMM_WORK_H
#define LOOPSCOPE_COMM_WORK_H

#include "core/tree.h"

namespace loopscope::runtime {

/// See loopscope_collective.
struct Work {
  struct Phase {
    uint32_t Node;
    float Ticks; ///< self time
  };
  uint64_t Ticks;
  uint64_t Step;
  uint32_t Count; ///< of phases; LOOPSCOPE_NONE: they aren't known
  Phase Phases[LOOPSCOPE_COLLECTIVE_PHASES];
};

/// The number of the step, of the outermost loop over batches, that N is in; 0
/// outside.
uint64_t stepOf(Node *N);

/// Whether N is within another collective, of whose time it is a part.
bool isInCollective(const Node *N);

/// Sums up what the calling thread has done until the collective N, which
/// begins at NOW, for workBefore().
void lookAtWork(Node *N, uint64_t Now);

/// Of the last collective that was looked at; null without memory.
const Work *workBefore();

/// The calling thread's last collective has ended, at NOW.
void beginWork(uint64_t Now);

/// The calling thread ends, or has been forked.
void forgetWork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_WORK_H
