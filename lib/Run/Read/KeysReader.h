// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the keys of nodes to the model.

#ifndef LOOPSCOPE_RUN_READ_KEYSREADER_H
#define LOOPSCOPE_RUN_READ_KEYSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// Gives the nodes of \p Into their keys, and counts the spans that ranges have
/// (Integrity::KeysInRanges and KeysOverLimit). A node that says it has a key,
/// without a sound record of one, gets one that isn't readable. Records that
/// are unsound, or of other nodes, are counted as bad.
void readKeys(ProfileBytes &Records, const std::vector<NodeRecord> &Nodes,
              const std::unordered_map<uint32_t, uint32_t> &NodeOf, Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_KEYSREADER_H
