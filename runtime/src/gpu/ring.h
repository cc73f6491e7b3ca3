// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU timeline's ring (trace mode): slots in GPU_EVENTS chunks, taken in
// order by the threads that call CUDA and by the collector.

#ifndef LOOPSCOPE_GPU_RING_H
#define LOOPSCOPE_GPU_RING_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

class EventRing {
public:
  /// Creates a ring of at most BYTES; 0: none. At most once.
  void create(uint64_t Bytes);

  /// Writes EVENT, whose sequence is 0 and becomes its number. Any thread; the
  /// first use of a chunk takes the slow lock. If out of memory, the event is
  /// counted as dropped.
  void add(const loopscope_gpu_event &Event);

private:
  using Slot = loopscope_gpu_event;
  static constexpr uint32_t SlotsPerChunk = 8191; // 1 MiB including its header
  static constexpr uint32_t MostChunks = 4096;

  Slot *chunkAt(uint32_t Index);

  uint64_t Capacity = 0; // slots
  uint64_t Next = 0;
  uint32_t Made = 0; // chunks
  bool Full = false; // out of memory for more
  Slot *Chunks[MostChunks] = {};
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_RING_H
