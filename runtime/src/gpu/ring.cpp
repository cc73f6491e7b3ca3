// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ring of GPU events.

#include "ring.h"

#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/counts.h"
#include "profile/profile_file.h"
#include "tree/slow_path.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

void EventRing::create(uint64_t Bytes) {
  uint64_t Chunks = Bytes / (uint64_t(SlotsPerChunk + 1) * sizeof(Slot));
  if (Chunks > MostChunks)
    Chunks = MostChunks;
  Capacity = Chunks * SlotsPerChunk;
}

// Chunks are made in order, so that a reader finds the ring's slots in
// sequence.
EventRing::Slot *EventRing::chunkAt(uint32_t Index) {
  if (Slot *Known = __atomic_load_n(&Chunks[Index], __ATOMIC_ACQUIRE))
    return Known;
  SlowPath Path;
  if (!Path)
    return nullptr;
  SlowLock Lock;
  while (!Full && Made <= Index) {
    Chunk *C = addChunk(LOOPSCOPE_CHUNK_GPU_EVENTS, Made * SlotsPerChunk,
                        SlotsPerChunk, sizeof(Slot), 0);
    Full = C == nullptr;
    if (Full)
      break;
    __atomic_store_n(&C->used, SlotsPerChunk, __ATOMIC_RELEASE);
    __atomic_store_n(&Chunks[Made], reinterpret_cast<Slot *>(entries(C)),
                     __ATOMIC_RELEASE);
    ++Made;
  }
  return Chunks[Index];
}

void EventRing::add(const loopscope_gpu_event &Event) {
  uint64_t Number = __atomic_fetch_add(&Next, 1, __ATOMIC_RELAXED);
  Slot *First = nullptr;
  if (Capacity != 0) {
    uint64_t Place = Number % Capacity;
    First = chunkAt(static_cast<uint32_t>(Place / SlotsPerChunk));
  }
  if (First == nullptr || Number >= Capacity)
    count(LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED);
  if (First == nullptr)
    return;
  Slot &S = First[Number % Capacity % SlotsPerChunk];
  __atomic_store_n(&S.sequence, uint64_t(0), __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  S = Event; // its sequence is 0
  __atomic_store_n(&S.sequence, Number + 1, __ATOMIC_RELEASE);
}
