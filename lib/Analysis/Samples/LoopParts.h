// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of a sampled program with the calls in it and their shares.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPARTS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPARTS_H

#include "Analysis/Samples/LoopTree.h"
#include "Analysis/Samples/SampledProgram.h"

namespace loopscope {

/// What the search for loops shares.
struct LoopSearch {
  const Run &R;
  SourceFiles Sources;
  uint64_t Samples;
  bool HasIntervals;

  SampleShare shareOf(uint64_t Count, uint64_t Of) const {
    SampleShare Result = sampleShare(Count, Of);
    Result.HasInterval = HasIntervals;
    return Result;
  }
};

/// \p Loop of \p In (line 0: the whole function) with its parts; their shares
/// are set.
LoopCandidate loopCandidate(const Called &In, const SourceLoop &Loop,
                            LoopSearch &By);

/// Whether at least two of the calls matter.
bool splits(const LoopCandidate &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPARTS_H
