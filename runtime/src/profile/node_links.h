// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running process's part of a node.
//
// A node is a record of the profile (loopscope/profile_format.h); its data for
// the running process is NodeLinks (ownPart in base/thread_links.h).
//
// Children form a ring, and a childless node points to noChild(), so that hooks
// need no branch to follow them.

#ifndef LOOPSCOPE_PROFILE_NODE_LINKS_H
#define LOOPSCOPE_PROFILE_NODE_LINKS_H

#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

// The meaning of the last two words, by the node's kind.

/// A phase, stage, epoch, function, and whatever has no words of its own.
struct PhaseWords {
  uint64_t SumAtStep; ///< below a BATCH: sum_ticks when the last step ended
  uint64_t Extra;     ///< of a keyed node, the key (tree/keys.h); of others, of
                      ///< the extension for this kind; 0 at first
};
/// TRAIN and VALID. They may lie below the BATCH of another loop.
struct LoopWords {
  uint64_t SumAtStep; ///< see PhaseWords
  uint64_t Steps;     ///< so far, see stepsOf() in steps.cpp
};
struct StepWords {
  uint64_t NextChange; ///< the first step that may belong to another STEP node
  uint64_t IsMuted;    ///< 1: the open step is outside the window
};
struct BatchWords {
  uint64_t Unused;
  uint64_t Samples; ///< of the open step; NoSamples before they are given
};
/// The DRAW of a step; ordinary spans of kind DRAW have PhaseWords.
struct StepDrawWords {
  uint64_t Unused;
  Node *Interrupted; ///< the node that an explicit draw interrupted, else null
};

/// A thread's root.
struct RootWords {
  uint64_t IsFibre; ///< 1: the tree is a fibre's (tree/fibres.h)
  Node *Pause;      ///< the node of its pauses (tree/pause.h); null without any
};

/// A node of a cut (cut.h).
struct CutWords {
  uint64_t Unused;
  Node *Interrupted; ///< the node that was innermost when the cut began
};

/// Node::writer_word.
union __attribute__((may_alias)) NodeWord {
  uint32_t StepsBefore; ///< TRAIN and VALID: Steps when this execution began
  uint32_t Watchers; ///< others: extensions that watch its spans, one bit each
};

/// The running process's part of a node. No pointer is ever null except Parent
/// (of a root) and Site.
struct __attribute__((may_alias)) NodeLinks {
  Node *Parent;
  Node *FirstChild; ///< noChild() without children
  Node *Successor;  ///< the next child of Parent; of the last, the first
  Node *Cursor;     ///< the child expected next
  const loopscope_site *Site; ///< includes the SlowBits; see siteOf()
  loopscope_histogram *Histogram;
  union {
    PhaseWords Phase; ///< all other kinds
    LoopWords Loop;
    StepWords Step;
    BatchWords Batch;
    StepDrawWords StepDraw;
    CutWords Cut;
    RootWords Root;
  };
};
static_assert(sizeof(NodeLinks) == sizeof(Node::writer_private));

/// Nodes outside the profile, with room for their links.
template <uint32_t Count> struct alignas(64) NodesOutside {
  char Links[OwnDistance];
  Node All[Count];
};

/// noChild(), and the nodes of lost_file.cpp. Hidden, like all data that hooks
/// read often, so that its address needs no look-up.
constexpr uint32_t DeadDepth = 4;
extern __attribute__((visibility("hidden"))) NodesOutside<1 + DeadDepth>
    OutsideNodes;

/// Stands for a missing child; its Site is no site's address.
inline Node *noChild() { return &OutsideNodes.All[0]; }

/// For a BATCH: no samples in this step; no samples in any step so far.
constexpr uint64_t NoSamples = UINT64_MAX;

inline NodeLinks &links(Node *N) {
  return ownPart<NodeLinks>(N->writer_private);
}
inline NodeWord &word(Node *N) {
  return *reinterpret_cast<NodeWord *>(&N->writer_word);
}

/// The bit in NodeLinks::Site of a node that extensions measure at its borders
/// (measureSpans). The site then differs from what the fast hooks expect, so
/// its spans take the slow path, and others pay nothing.
constexpr uintptr_t MeasuredBit = 1;
/// The same for nodes that an extension has marked (markSpans), a bit for each
/// such extension.
constexpr uintptr_t FirstMark = 2;
constexpr uintptr_t AllMarks = FirstMark | FirstMark << 1;
constexpr uintptr_t SlowBits = MeasuredBit | AllMarks;

inline uintptr_t slowBitsOf(const Node *N) {
  auto Site = reinterpret_cast<uintptr_t>(links(const_cast<Node *>(N)).Site);
  return Site & SlowBits;
}
inline bool isMeasured(const Node *N) {
  return (slowBitsOf(N) & MeasuredBit) != 0;
}
inline bool isMarked(const Node *N) { return (slowBitsOf(N) & AllMarks) != 0; }

/// The node's site; null for roots, STEP, DRAW and BATCH.
inline const loopscope_site *siteOf(const Node *N) {
  auto Site = reinterpret_cast<uintptr_t>(links(const_cast<Node *>(N)).Site);
  return reinterpret_cast<const loopscope_site *>(Site & ~SlowBits);
}

/// Calls VISIT(child) for the children of PARENT in order of first visit until
/// it returns true; returns that child, or null. A tree's nodes are numbered in
/// order of their first visits, from a root on, so one comparison ends the ring
/// at its first child and, if its memory was lost meanwhile (lost_file.h), at
/// noChild(), which has the number 0.
template <typename Function> Node *findAmong(Node *Parent, Function Visit) {
  Node *N = links(Parent).FirstChild;
  uint32_t First = N->index;
  if (First == 0)
    return nullptr;
  do {
    if (Visit(N))
      return N;
    N = links(N).Successor;
  } while (N->index > First);
  return nullptr;
}

/// A profile's nodes, at most.
constexpr uint32_t MaxNodes = 1U << 16; // 256 MiB

/// Whether spans may still nest deeper below the current node.
constexpr uint32_t MaxDepth = 256;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_NODE_LINKS_H
