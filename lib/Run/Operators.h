// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links between LibTorch operators. Plain values, checked. Part of the model
// (Run.h), filled by readOperators.

#ifndef LOOPSCOPE_RUN_OPERATORS_H
#define LOOPSCOPE_RUN_OPERATORS_H

#include <cstdint>

namespace loopscope {

/// Spans of a backward operator that belong to spans of a forward one, which
/// created their nodes in the backward graph.
struct OperatorLink {
  uint32_t Backward = 0; ///< node
  uint32_t Forward = 0;  ///< node
  uint64_t Count = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_OPERATORS_H
