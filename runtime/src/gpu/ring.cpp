// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rings of GPU events and of memory operations.

#include "ring.h"

#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/counts.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

template <typename T, loopscope_chunk_type Type>
void SlotRing<T, Type>::create(uint64_t Bytes) {
  uint64_t Chunks = Bytes / ChunkBytes;
  if (Chunks > MostChunks)
    Chunks = MostChunks;
  Capacity = Chunks * SlotsPerChunk;
}

// Chunks are made in order, so that a reader finds the ring's slots in
// sequence.
template <typename T, loopscope_chunk_type Type>
T *SlotRing<T, Type>::chunkAt(uint32_t Index) {
  if (T *Known = __atomic_load_n(&Chunks[Index], __ATOMIC_ACQUIRE))
    return Known;
  SlowPath Path;
  if (!Path)
    return nullptr;
  SlowLock Lock;
  while (!Full && Made <= Index) {
    Chunk *C =
        addChunk(Type, Made * SlotsPerChunk, SlotsPerChunk, sizeof(T), 0);
    Full = C == nullptr;
    if (Full)
      break;
    __atomic_store_n(&C->used, SlotsPerChunk, __ATOMIC_RELEASE);
    __atomic_store_n(&Chunks[Made], reinterpret_cast<T *>(entries(C)),
                     __ATOMIC_RELEASE);
    ++Made;
  }
  return Chunks[Index];
}

template <typename T, loopscope_chunk_type Type>
bool SlotRing<T, Type>::add(const T &Event) {
  uint64_t Number = __atomic_fetch_add(&Next, 1, __ATOMIC_RELAXED);
  T *First = nullptr;
  if (Capacity != 0) {
    uint64_t Place = Number % Capacity;
    First = chunkAt(static_cast<uint32_t>(Place / SlotsPerChunk));
  }
  if (First == nullptr)
    return false;
  T &S = First[Number % Capacity % SlotsPerChunk];
  __atomic_store_n(&S.sequence, uint64_t(0), __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  S = Event; // its sequence is 0
  __atomic_store_n(&S.sequence, Number + 1, __ATOMIC_RELEASE);
  return Number < Capacity;
}

void EventRing::create(uint64_t Bytes, uint64_t MemoryBytes) {
  Events.create(Bytes);
  Memory.create(MemoryBytes);
}

void EventRing::add(const loopscope_gpu_event &Event) {
  if (!Events.add(Event))
    count(LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED);
}

void EventRing::add(const loopscope_gpu_memory_event &Event) {
  if (!Memory.add(Event))
    addToCounter(LOOPSCOPE_COUNT_GPU_MEMORY_EVENTS_LOST, 1);
}
