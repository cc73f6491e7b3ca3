// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys of phases: what each key of a family did, summed up over call paths.

#ifndef LOOPSCOPE_ANALYSIS_TREE_KEYFAMILIES_H
#define LOOPSCOPE_ANALYSIS_TREE_KEYFAMILIES_H

#include "Analysis/Tree/GpuSums.h"
#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace loopscope {

/// What the spans of one key did.
struct KeySums {
  uint32_t Key = None; ///< in Run::Keys
  int64_t InclusiveNs = 0;
  Moments Spans;  ///< finished ones
  Moments Steady; ///< of Spans, those outside the steps of a warm-up
  GpuSums Gpu;    ///< with all below; only where it was asked for
  std::vector<uint32_t> Nodes;       ///< whose sums these are
  std::vector<uint32_t> SteadyNodes; ///< of Nodes, those of Steady
};

/// The keys of a phase, in their order (isBefore).
struct KeyFamily {
  uint32_t Group = None; ///< as it was asked for
  uint32_t Site = None;  ///< of its first node
  std::vector<KeySums> Keys;
  /// Outside the warm-up: single values alone, neither ranges nor the rest of
  /// texts, and no span within another one of the phase.
  bool IsWhole = true;
  std::set<uint32_t> Threads; ///< with spans outside the warm-up

  /// Its time, over all keys.
  int64_t inclusiveNs() const;
};

/// The families of the nodes with the same \p GroupOf, by group; nodes without
/// a key, a site or a group (None) are in none. \p Gpu may be null.
std::vector<KeyFamily> keyFamilies(const Run &R,
                                   const std::vector<uint32_t> &GroupOf,
                                   const GpuByNode *Gpu = nullptr);

/// Keys that are next to each other, drawn as one.
struct KeyCell {
  size_t First = 0;
  size_t Count = 0;
  size_t Most = 0; ///< which of them has the highest value
};

/// At most \p Most cells for keys with these \p Values, in their order; as many
/// keys in each as in the others, or one more. A value that isn't known counts
/// as the lowest.
std::vector<KeyCell> keyCells(const std::vector<std::optional<int64_t>> &Values,
                              size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_KEYFAMILIES_H
