// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples (Run/Model/Stacks.h) as stacks of named functions below call paths,
// for flame graphs.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDSTACKS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDSTACKS_H

#include "Run/Model/Run.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// A function on a stack.
struct StackFunction {
  std::string Name;
  std::string File; ///< where it is defined; empty: not known
  uint32_t Line = 0;

  auto operator<=>(const StackFunction &) const = default;
};

/// Samples of one stack.
struct SampledStack {
  std::string Thread;
  uint32_t Node = None; ///< innermost; None: nothing had been opened
  bool IsForeign = false;
  std::vector<StackFunction> Functions; ///< the outermost first
  uint64_t Count = 0;
  /// Samples by line of the innermost function, if known.
  std::map<uint32_t, uint64_t> Lines;
  int64_t Ns = 0; ///< of processor time that these samples stand for
};

/// Every distinct stack, ordered by thread, node and functions.
std::vector<SampledStack> sampledStacks(const Run &R);

/// By node, its own time (ns) less that of its thread's samples in it: time
/// without a processor, or without a sample.
std::vector<int64_t>
timeWithoutSamples(const Run &R, const std::vector<SampledStack> &Stacks);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDSTACKS_H
