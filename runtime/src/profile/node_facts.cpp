// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the chunks.

#include "node_facts.h"

#include "node_links.h"
#include "profile_file.h"

using namespace loopscope::runtime;

NodeFacts loopscope::runtime::nodeFacts(uint32_t Index) {
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
    if (C->type != LOOPSCOPE_CHUNK_NODES || Index < C->first_index ||
        Index - C->first_index >= C->capacity)
      continue;
    const Node &N =
        reinterpret_cast<const Node *>(entries(C))[Index - C->first_index];
    if (__atomic_load_n(&N.state, __ATOMIC_ACQUIRE) != 1)
      return {};
    // The memory may be lost (lost_file.h), and then has zeros.
    bool IsRoot = N.parent >= Index;
    return {IsRoot ? LOOPSCOPE_NONE : N.parent, N.depth, N.kind, true};
  }
  return {};
}
