// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: the loops of a tree of calls as a tree of their own, across
// functions. A loop is in another one if it is around code that the other one
// runs, in the same function or in one that it calls.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_LOOPTREE_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_LOOPTREE_H

#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/SourceFiles.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace loopscope {

/// A loop that has samples; the root of a tree stands for a whole thread.
struct LoopNode {
  const Called *In = nullptr; ///< its function
  SourceLoop Loop;            ///< the root's has line 0
  uint64_t Count = 0;
  /// The functions by which the loop around it reaches it, its own the last;
  /// empty: it is in the same function.
  std::vector<const Called *> Via;
  const LoopNode *Outer = nullptr;
  std::vector<std::unique_ptr<LoopNode>> Inner; ///< most samples first
};

/// The loops below \p Root, which must outlive them, that have at least \p
/// Least samples. Loops of the system's functions, and of functions without
/// lines, are passed over.
std::unique_ptr<LoopNode> loopTree(const Called &Root, SourceFiles &Sources,
                                   uint64_t Least);

/// Whether \p Line is one of the loop's.
bool isInside(const SourceLoop &Loop, uint32_t Line);

/// Whether a call at \p At is in \p Loop of \p In (line 0: the function).
bool isIn(const CallSite &At, const Called &In, const SourceLoop &Loop);

/// The loops of \p In around \p Line of its file, the outermost first. A
/// lambda's function and that of a parallel region are inside of loops of
/// another function by their lines; these don't count.
std::vector<SourceLoop> loopsOf(const Called &In, uint32_t Line,
                                SourceFiles &Sources);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_LOOPTREE_H
