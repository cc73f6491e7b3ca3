// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU chunks of a profile: records to the model.

#ifndef LOOPSCOPE_RUN_READ_GPUREADER_H
#define LOOPSCOPE_RUN_READ_GPUREADER_H

#include "Run/Gpu.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// How the model calls what GPU records refer to.
struct GpuIndices {
  std::unordered_map<uint32_t, uint32_t> NodeOf;   ///< file's index -> ours
  std::unordered_map<uint32_t, uint32_t> ThreadOf; ///< file's index -> ours
};

/// Reads the GPU data, with the newest EVENTS of trace mode. What refers to
/// nothing is counted in LOST.BadRecords; work whose call path is damaged is
/// kept as work of an unknown launch.
GpuData readGpu(ProfileBytes &Records, const Clock &Ticks,
                const GpuIndices &Indices, size_t Events, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_GPUREADER_H
