// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call paths' tree as the collector needs it: parents by index, looked up
// once each.

#ifndef LOOPSCOPE_GPU_NODE_TREE_H
#define LOOPSCOPE_GPU_NODE_TREE_H

#include "array.h"
#include "profile/node_facts.h"

namespace loopscope::runtime {

/// One thread.
class NodeTree {
public:
  NodeFacts of(uint32_t Index) {
    while (Known.size() <= Index)
      if (!Known.push({}))
        return {};
    NodeFacts &Facts = Known[Index];
    if (!Facts.IsKnown)
      Facts = nodeFacts(Index);
    return Facts;
  }

  /// The deepest node that both are below or equal to; LOOPSCOPE_NONE if they
  /// are in different trees.
  uint32_t common(uint32_t A, uint32_t B) {
    while (A != B && A != LOOPSCOPE_NONE && B != LOOPSCOPE_NONE) {
      uint32_t &Later = A > B ? A : B;
      Later = of(Later).Parent;
    }
    return A == B ? A : LOOPSCOPE_NONE;
  }

private:
  Array<NodeFacts> Known;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_NODE_TREE_H
