// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loop's a node is. Loops that run inside another loop's steps, as a
// validation every so many training steps, are apart: their time is theirs, not
// the steps'.

#ifndef LOOPSCOPE_ANALYSIS_ACCOUNT_NESTEDLOOPS_H
#define LOOPSCOPE_ANALYSIS_ACCOUNT_NESTEDLOOPS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace loopscope {

/// The loops of a run, by node. A train or valid loop stands for itself unless
/// it runs inside a loop of the same kind, of whose steps it is then a part.
struct LoopNodes {
  /// The node of the innermost loop that stands for itself and that the node is
  /// or is in; None outside all loops.
  std::vector<uint32_t> Of;
  /// Whether Of runs inside another loop's steps.
  std::vector<bool> IsNested;
  /// Of the node's InclusiveNs, the time in loops nested in Of, ns.
  std::vector<int64_t> NestedNs;
  /// Whether the node is a step of Of.
  std::vector<bool> IsStep;
  /// Whether that step is left out of the loop's figures: it is excluded, or
  /// belongs to the warm-up, and the loop at this place has finished others.
  std::vector<bool> IsLeftOut;
};

LoopNodes findLoops(const Run &R);

/// A place in the source: file and line; empty and 0 if it isn't known. Several
/// sites may be at one place. Valid as long as \p R.
using SourcePlace = std::pair<std::string_view, uint32_t>;
SourcePlace sourcePlace(const Run &R, uint32_t Site);

/// The time of a STEP, DRAW or BATCH without excluded steps, and all of any
/// other node.
int64_t includedNs(const Run &R, uint32_t Node);

/// Of a draw's SelfNs, what is in no step: a loop's last draw, which finds no
/// batch. Where phases are marked in draws, their part of it isn't known. 0 for
/// other nodes.
int64_t lastDrawNs(const Run &R, uint32_t Node);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_ACCOUNT_NESTEDLOOPS_H
