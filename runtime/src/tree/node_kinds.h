// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node is, beyond its kind: parts of a step share kinds with ordinary
// spans, and draws and cuts interrupt what is open (steps.h, cut.h).

#ifndef LOOPSCOPE_TREE_NODE_KINDS_H
#define LOOPSCOPE_TREE_NODE_KINDS_H

#include "profile/node_links.h"

namespace loopscope::runtime {

/// The DRAW below a STEP, as opposed to an ordinary span of kind DRAW.
inline bool isStepDraw(Node *N) {
  return N->kind == LOOPSCOPE_KIND_DRAW && siteOf(N) == nullptr;
}
/// A step's DRAW that runs as an explicit draw.
inline bool isExplicitDraw(Node *N) {
  return isStepDraw(N) && links(N).StepDraw.Interrupted != nullptr;
}
/// A step's DRAW that runs in the loop's header.
inline bool isLoopDraw(Node *N) {
  return isStepDraw(N) && links(N).StepDraw.Interrupted == nullptr;
}

/// The draw of LOOP's header; never where LOOP is null.
inline bool isDrawOf(Node *N, const void *Loop) {
  return isLoopDraw(N) && links(links(N).Parent).Parent == Loop;
}
/// The same, if nothing measures it.
inline bool isPlainDrawOf(Node *N, const void *Loop) {
  return N->kind == LOOPSCOPE_KIND_DRAW && links(N).Site == nullptr &&
         links(N).StepDraw.Interrupted == nullptr &&
         links(links(N).Parent).Parent == Loop;
}

/// The BATCH below a STEP.
inline bool isBatch(Node *N) {
  return N->kind == LOOPSCOPE_KIND_BATCH && links(N).Site == nullptr;
}

/// Whether a node of this kind and with these flags is a cut. Its thread may
/// change other flags at any time; another thread loads them by an atomic
/// operation.
inline bool isCut(uint32_t Kind, uint32_t Flags) {
  return (Flags & LOOPSCOPE_NODE_CUT) != 0 && Kind == LOOPSCOPE_KIND_PHASE;
}
inline bool isCut(const Node *N) { return isCut(N->kind, N->flags); }

/// The root of N's tree, by the links alone: where the profile's memory was
/// lost, a node that isn't a root may have the kind of one.
inline Node *rootAround(Node *N) {
  while (links(N).Parent != nullptr)
    N = links(N).Parent;
  return N;
}
/// The root of the thread's tree.
inline Node *rootOf(Thread *T) { return rootAround(links(T).Current); }

/// The place of all pauses.
extern const loopscope_site PauseSite;

/// The cut of a pause (pause.h).
inline bool isPause(const Node *N) {
  return isCut(N) && siteOf(N) == &PauseSite;
}

/// Whether the thread is in a pause or in an excluded step, where no span
/// opens.
inline bool isMuted(Thread *T) {
  Node *N = links(T).Current;
  return ((isStepDraw(N) || isBatch(N)) &&
          links(links(N).Parent).Step.IsMuted != 0) ||
         isPause(N);
}

/// The node that was current when N was opened: usually the parent; for an
/// explicit draw or a cut, the node that it interrupted.
inline Node *nodeAround(Node *N) {
  // Null, too, if the node's memory was lost since it was opened (lost_file.h).
  Node *Interrupted = nullptr;
  if (isCut(N))
    Interrupted = __atomic_load_n(&links(N).Cut.Interrupted, __ATOMIC_RELAXED);
  else if (isExplicitDraw(N))
    Interrupted =
        __atomic_load_n(&links(N).StepDraw.Interrupted, __ATOMIC_RELAXED);
  return Interrupted == nullptr ? links(N).Parent : Interrupted;
}

/// Makes N the draw of its loop's header if it is a step's DRAW that a jump
/// made look like an explicit draw: it interrupts no batch.
inline void forgetLeftDraw(Node *N) {
  if (isExplicitDraw(N) && links(N).Successor->open == 0)
    links(N).StepDraw.Interrupted = nullptr;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_NODE_KINDS_H
