// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over batches: steps, draws and batches on the tree.
//
//   TRAIN or VALID             current only between draws and batches
//     STEP (warm-up, or not)   open from the end of the step before
//       DRAW                   current while the loop's header runs
//       BATCH                  current while the body runs
//
// An explicit draw inside the body makes the step's DRAW current again and
// remembers the node it interrupted; when it ends, the start of every node
// between that one and the BATCH moves on by its duration, so that
// BATCH.enter - STEP.enter is the step's whole draw.

#ifndef LOOPSCOPE_TREE_STEPS_H
#define LOOPSCOPE_TREE_STEPS_H

#include "base/stack_mark.h"
#include "profile/node_links.h"
#include "tree.h"

namespace loopscope::runtime {

/// Opens loop L, a child of the current node, at NOW, in its first draw. False
/// if out of memory for the nodes of its steps (counted); nothing is open then.
bool openLoop(Thread *T, Node *L, uint64_t Now, KnownMark Of);

/// Ends the draw DRAW of the loop's header at NOW and starts the batch, without
/// the timeline. Returns the BATCH.
template <typename Mark>
inline Node *openBatch(ThreadLinks &L, Node *Draw, uint64_t Now, Mark Of) {
  Node *Batch = links(Draw).Successor;
  links(Draw).Cursor = links(Draw).FirstChild;
  links(Batch).Batch.Samples = NoSamples;
  Draw->open = 0;
  openNode(L, Batch, Now, Of);
  return Batch;
}
/// The same, with the timeline.
Node *beginBatch(Thread *T, Node *Draw, uint64_t Now, KnownMark Of);

/// Ends the step of BATCH, the innermost open node, and starts the next draw. A
/// step that ends in a pause isn't counted.
void endStep(Thread *T, Node *Batch);
/// The same where the clock is the counter.
void endStepQuickly(Thread *T, Node *Batch);

/// Ends the step of BATCH, the innermost open node, which a jump left, at NOW;
/// what is already recorded of it isn't recorded again. The next draw begins.
void endLeftStep(Thread *T, Node *Batch, uint64_t Now);

/// Ends the loop's last draw, which no batch follows; the loop becomes current.
void endLoopDraw(Thread *T, Node *Draw, uint64_t Now);

/// The innermost open BATCH whose step would get an explicit draw made here;
/// null outside a step and where time already counts as draw.
Node *batchToDrawFrom(Thread *T);

/// Starts an explicit draw for BATCH's step at NOW. Returns the DRAW.
Node *beginExplicitDraw(Thread *T, Node *Batch, uint64_t Now, KnownMark Of);
/// Ends the explicit draw; DRAW is the innermost open node.
void endExplicitDraw(Thread *T, Node *Draw, uint64_t Now);

/// Sets the samples of BATCH's step.
void setSamples(Node *Batch, int64_t Samples);

/// The same if the value is valid and not the node's first; otherwise returns
/// false.
inline bool keepSamples(Node *Batch, int64_t Samples) {
  if (Samples < 0 || links(Batch).Parent->rate_count == 0)
    return false;
  links(Batch).Batch.Samples = static_cast<uint64_t>(Samples);
  return true;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_STEPS_H
