// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program held of its memory, change by change: a timeline's operations
// on GPUs' memory, or the allocators' of a PyTorch trace.

#ifndef LOOPSCOPE_RUN_MODEL_MEMORYOVERTIME_H
#define LOOPSCOPE_RUN_MODEL_MEMORYOVERTIME_H

#include <loopscope/profile_format.h>

#include <cstdint>
#include <vector>

namespace loopscope {

/// What memory is.
enum class MemoryKind : uint8_t { Device, Managed, PinnedHost, Other, Host };

/// An allocation or a release.
struct MemoryChange {
  int64_t AtNs = 0;
  int64_t Bytes = 0;           ///< allocated; negative: freed
  uint64_t HeldBytes = 0;      ///< afterwards
  uint64_t UnusedBytes = 0;    ///< that pools or an allocator keep beyond that
  uint32_t Node = UINT32_MAX;  ///< profiles: that did it; UINT32_MAX: unknown
  uint32_t Track = UINT32_MAX; ///< traces: of EventStream::Tracks
};

/// The memory of one kind on one device.
struct MemoryLane {
  MemoryKind Kind = MemoryKind::Device;
  int64_t Device = -1; ///< CUDA's number; -1: the host's
  /// Before this, changes are missing: newer ones took their places.
  int64_t KnownFromNs = INT64_MIN;
  std::vector<MemoryChange> Changes; ///< by time
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_MEMORYOVERTIME_H
