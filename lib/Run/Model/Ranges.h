// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that need not nest (NVTX's start/end ranges), summed up by name. Plain
// values, checked. Part of the model (Run.h), filled by readRanges.

#ifndef LOOPSCOPE_RUN_MODEL_RANGES_H
#define LOOPSCOPE_RUN_MODEL_RANGES_H

#include <cstdint>
#include <string>

namespace loopscope {

/// All ranges of one name, whichever threads they start and end on.
struct RangeSum {
  std::string Name;
  uint64_t Count = 0; ///< that have ended; the next three are of these
  int64_t Ns = 0;
  int64_t MinNs = 0;
  int64_t MaxNs = 0;
  uint64_t Open = 0;  ///< that had not ended when the profile was read
  int64_t OpenNs = 0; ///< of these, so far
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_RANGES_H
