// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU timeline's rings (trace mode): slots in GPU_EVENTS chunks, taken in
// order by the threads that call CUDA and by the collector, and those of memory
// operations in GPU_MEMORY_EVENTS chunks.

#ifndef LOOPSCOPE_GPU_RING_H
#define LOOPSCOPE_GPU_RING_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A ring of slots of type T, which begin with their 64-bit sequence, in chunks
/// of TYPE.
template <typename T, loopscope_chunk_type Type> class SlotRing {
public:
  /// Creates a ring of at most BYTES; 0: none. At most once.
  void create(uint64_t Bytes);

  /// Writes EVENT, whose sequence is 0 and becomes its number. Any thread; the
  /// first use of a chunk takes the slow lock. False if an event is lost: the
  /// oldest one or, out of memory, this one.
  bool add(const T &Event);

private:
  // A chunk has 1 MiB including its header.
  static constexpr uint32_t ChunkBytes = 1U << 20;
  static constexpr uint32_t SlotsPerChunk =
      (ChunkBytes - sizeof(loopscope_chunk_header)) / sizeof(T);
  static constexpr uint32_t MostChunks = 4096;

  T *chunkAt(uint32_t Index);

  uint64_t Capacity = 0; // slots
  uint64_t Next = 0;
  uint32_t Made = 0; // chunks
  bool Full = false; // out of memory for more
  T *Chunks[MostChunks] = {};
};

/// What is lost is counted, of each ring by its own count.
class EventRing {
public:
  /// Creates rings of at most BYTES and MEMORYBYTES; 0: none. At most once.
  void create(uint64_t Bytes, uint64_t MemoryBytes);

  /// See SlotRing.
  void add(const loopscope_gpu_event &Event);
  void add(const loopscope_gpu_memory_event &Event);

private:
  SlotRing<loopscope_gpu_event, LOOPSCOPE_CHUNK_GPU_EVENTS> Events;
  SlotRing<loopscope_gpu_memory_event, LOOPSCOPE_CHUNK_GPU_MEMORY_EVENTS>
      Memory;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_RING_H
