// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a program holds on its devices: sums of allocations and frees
// as their records arrive, and the amount held at each moment once the order in
// time is certain (see timeline.h).

#ifndef LOOPSCOPE_GPU_MEMORY_H
#define LOOPSCOPE_GPU_MEMORY_H

#include "heap.h"
#include "ring.h"
#include "store.h"

namespace loopscope::runtime {

/// Live allocations, by address.
class LiveAllocations {
public:
  struct Allocation {
    uint64_t Address; ///< never 0
    uint64_t Bytes;
    uint32_t Device;
    uint32_t Context;
    uint32_t Node; ///< that allocated it
    loopscope_gpu_memory_kind Kind;
  };
  LiveAllocations() = default;
  LiveAllocations(const LiveAllocations &) = delete;
  LiveAllocations &operator=(const LiveAllocations &) = delete;
  ~LiveAllocations();

  /// Removes the one at ADDRESS; false if there is none.
  bool take(uint64_t Address, Allocation &Result);
  /// The same for the next one of CONTEXT; FROM is 0 in the first call.
  bool takeOf(uint32_t Context, size_t &From, Allocation &Result);
  /// NEW's address isn't in the table. False if out of memory.
  bool add(const Allocation &New);

private:
  size_t home(uint64_t Address) const;
  void takeAt(size_t Place);
  bool grow();

  Allocation *Slots = nullptr; // Address 0: free
  size_t Size = 0;             // a power of two
  size_t Used = 0;
};

/// One thread.
class MemoryUse {
public:
  /// RING is null unless each operation is to be recorded.
  MemoryUse(GpuStore &Store, EventRing *Ring) : Store(Store), Ring(Ring) {}

  /// Adds an operation of NODE, in any order.
  void add(const MemoryOperation &Operation, uint32_t Node);
  /// CONTEXT ended at TICKS, and all its memory with it.
  void endContext(uint32_t Context, uint64_t Ticks);
  /// Applies all operations before UNTIL; UINT64_MAX: all.
  void settle(uint64_t Until);

private:
  struct Waiting : MemoryOperation {
    uint32_t Node;
    bool EndsContext;
  };
  struct Held {
    uint32_t Device;
    loopscope_gpu_memory_kind Kind;
    uint64_t Bytes;
  };
  // A memory pool of a device.
  struct Pool {
    uint64_t Address;
    uint32_t Device;
    uint64_t UnusedBytes;
  };
  void enter(const Waiting &Operation);
  void follow(const Waiting &Operation);
  void allocate(const Waiting &Operation);
  // NODE: that did it; NONE: unknown.
  void free(uint64_t Address, uint32_t Node);
  void release(const LiveAllocations::Allocation &Gone, uint32_t Node);
  // Null if out of memory.
  Held *held(uint32_t Device, loopscope_gpu_memory_kind Kind);
  void noteOnDevice(const Held &Now, uint32_t Node);
  void noteHeld(const LiveAllocations::Allocation &Of, bool Frees);
  void notePool(const Waiting &Operation);
  void noteEvent(const Held &Now, uint64_t Bytes, uint32_t Node, bool Frees);

  static constexpr size_t MostWaiting = size_t(1) << 16;

  GpuStore &Store;
  EventRing *Ring;
  EarliestFirst<Waiting> Order;
  uint64_t Frontier = 0; // time of the last operation applied
  LiveAllocations Live;
  Array<Held> Totals;
  Array<Pool> Pools;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_MEMORY_H
