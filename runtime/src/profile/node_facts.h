// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What never changes of a node, by its index, for threads that know no pointer
// to it.

#ifndef LOOPSCOPE_PROFILE_NODE_FACTS_H
#define LOOPSCOPE_PROFILE_NODE_FACTS_H

#include <loopscope/profile_format.h>

#include <stdint.h>

namespace loopscope::runtime {

struct NodeFacts {
  uint32_t Parent = LOOPSCOPE_NONE; ///< index
  uint32_t Depth = 0;
  uint16_t Kind = LOOPSCOPE_KIND_ROOT;
  bool IsKnown = false;
};

/// Looks the node up in the profile's chunks. Without such a node: those of an
/// unknown root. A parent's index is lower than its children's. Any thread.
NodeFacts nodeFacts(uint32_t Index);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_NODE_FACTS_H
