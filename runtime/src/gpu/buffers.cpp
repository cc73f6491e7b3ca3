// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of record buffers.

#include "buffers.h"

#include "base/clock.h"
#include "base/memory.h"

using namespace loopscope::runtime;

bool BufferPool::create() {
  Memory = static_cast<uint8_t *>(reserveMemory(placeOf(Count)));
  return Memory != nullptr;
}

uint8_t *BufferPool::take(size_t &Bytes) {
  for (unsigned W = 0; W < Words; ++W) {
    uint64_t Used = __atomic_load_n(&InUse[W], __ATOMIC_RELAXED);
    while (Used != UINT64_MAX) {
      uint64_t Bit = ~Used & (Used + 1); // the lowest clear bit
      if (!__atomic_compare_exchange_n(&InUse[W], &Used, Used | Bit, false,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        continue;
      __atomic_fetch_add(&Taken, 1, __ATOMIC_RELAXED);
      unsigned Index = W * 64 + static_cast<unsigned>(__builtin_ctzll(Bit));
      __atomic_store_n(&TakenAt[Index], now(), __ATOMIC_RELEASE);
      Bytes = placeOf(Index + 1) - placeOf(Index);
      return Memory + placeOf(Index);
    }
  }
  return nullptr;
}

bool BufferPool::complete(uint8_t *Buffer, size_t Valid) {
  // For an address below the memory, the difference wraps to a large value.
  size_t Place =
      reinterpret_cast<uintptr_t>(Buffer) - reinterpret_cast<uintptr_t>(Memory);
  if (Place >= placeOf(Count))
    return false;
  pthread_mutex_lock(&Mutex);
  Completed[(First + Waiting++) % Count] = {Buffer, Valid};
  pthread_mutex_unlock(&Mutex);
  return true;
}

bool BufferPool::nextCompleted(uint8_t *&Buffer, size_t &Valid) {
  pthread_mutex_lock(&Mutex);
  bool Any = Waiting != 0;
  if (Any) {
    Buffer = Completed[First].Buffer;
    Valid = Completed[First].Valid;
    First = (First + 1) % Count;
    --Waiting;
  }
  pthread_mutex_unlock(&Mutex);
  return Any;
}

void BufferPool::free(uint8_t *Buffer) {
  unsigned Index = indexOf(static_cast<size_t>(Buffer - Memory));
  __atomic_fetch_sub(&Taken, 1, __ATOMIC_RELAXED);
  __atomic_fetch_and(&InUse[Index / 64], ~(uint64_t(1) << (Index % 64)),
                     __ATOMIC_RELEASE);
}

uint64_t BufferPool::oldestTaken() const {
  uint64_t Oldest = UINT64_MAX;
  for (unsigned W = 0; W < Words; ++W)
    for (uint64_t Used = __atomic_load_n(&InUse[W], __ATOMIC_ACQUIRE);
         Used != 0; Used &= Used - 1) {
      unsigned Index = W * 64 + static_cast<unsigned>(__builtin_ctzll(Used));
      uint64_t At = __atomic_load_n(&TakenAt[Index], __ATOMIC_ACQUIRE);
      Oldest = At < Oldest ? At : Oldest;
    }
  return Oldest;
}

bool BufferPool::isShort() const {
  return __atomic_load_n(&Taken, __ATOMIC_RELAXED) >= Count / 2;
}
