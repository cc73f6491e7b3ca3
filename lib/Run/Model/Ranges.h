// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that need not nest, by hand or of NVTX, summed up by name, and on the
// timeline. Plain values, checked. Part of the model (Run.h), filled by
// readRanges.

#ifndef LOOPSCOPE_RUN_MODEL_RANGES_H
#define LOOPSCOPE_RUN_MODEL_RANGES_H

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// All ranges of one name, whichever threads they start and end on.
struct RangeSum {
  std::string Name;
  uint64_t Count = 0; ///< that have ended; the next three are of these
  int64_t Ns = 0;
  int64_t MinNs = 0;
  int64_t MaxNs = 0;
  uint64_t Open = 0;       ///< that had not ended when the profile was read
  int64_t OpenNs = 0;      ///< of these, so far
  uint64_t EndedAgain = 0; ///< ends of ranges that had ended before
};

/// One range on the timeline.
struct RangeSpan {
  std::string Process; ///< in a merged run: "rank 3"; else empty
  uint32_t Range = 0;  ///< in Run::Ranges
  bool Open = false;   ///< had not ended when the profile was read
  int64_t StartNs = 0; ///< since the run's start
  int64_t EndNs = 0;
};

/// Adds \p From to the range of its name in \p To, or appends it. Returns its
/// place.
uint32_t addRange(std::vector<RangeSum> &To, RangeSum From);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_RANGES_H
