// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of spans.

#ifndef LOOPSCOPE_TREE_HOOK_TOKENS_H
#define LOOPSCOPE_TREE_HOOK_TOKENS_H

#include "profile/node_links.h"

namespace loopscope::runtime {

/// Set in the token of an explicit draw, which is the address of its DRAW.
constexpr uintptr_t ExplicitDrawBit = 1;
/// Set in the token of a measured or marked span, which is its node's
/// address, so that the fast hooks don't take its end for the innermost
/// node's.
constexpr uintptr_t MeasuredTokenBit = 2;

/// The token of a span of N.
inline loopscope_token tokenOf(Node *N) {
  auto Address = reinterpret_cast<uintptr_t>(N);
  return reinterpret_cast<loopscope_token>(
      slowBitsOf(N) != 0 ? Address | MeasuredTokenBit : Address);
}

/// The node of a token that tokenOf() gave; null of null.
inline Node *nodeOf(loopscope_token Token) {
  return reinterpret_cast<Node *>(reinterpret_cast<uintptr_t>(Token) &
                                  ~MeasuredTokenBit);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_HOOK_TOKENS_H
