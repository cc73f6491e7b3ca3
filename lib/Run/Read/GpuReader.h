// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a profile's GPU chunks to the model.

#ifndef LOOPSCOPE_RUN_READ_GPUREADER_H
#define LOOPSCOPE_RUN_READ_GPUREADER_H

#include "Run/Model/Gpu.h"
#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// The model's indices for what GPU records refer to.
struct GpuIndices {
  std::unordered_map<uint32_t, uint32_t> NodeOf;   ///< file's index -> ours
  std::unordered_map<uint32_t, uint32_t> ThreadOf; ///< file's index -> ours
};

/// Reads the GPU data, with the newest \p Events of trace mode. Bad references
/// are counted in Lost.BadRecords; work whose call path is damaged is kept,
/// with its launch unknown.
GpuData readGpu(ProfileBytes &Records, const Clock &Ticks,
                const GpuIndices &Indices, size_t Events, Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_GPUREADER_H
