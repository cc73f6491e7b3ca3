// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a program holds on its devices: sums of allocations and frees
// as their records arrive, and what is held at each moment once the order of
// time is sure, as timeline.h does it for work.

#ifndef LOOPSCOPE_GPU_MEMORY_H
#define LOOPSCOPE_GPU_MEMORY_H

#include "heap.h"
#include "store.h"

namespace loopscope::runtime {

/// Allocations that live, by their addresses.
class LiveAllocations {
public:
  struct Allocation {
    uint64_t Address; ///< never 0
    uint64_t Bytes;
    uint32_t Device;
    uint32_t Context;
    loopscope_gpu_memory_kind Kind;
  };
  LiveAllocations() = default;
  LiveAllocations(const LiveAllocations &) = delete;
  LiveAllocations &operator=(const LiveAllocations &) = delete;
  ~LiveAllocations();

  /// Takes the one at ADDRESS out; false when there is none.
  bool take(uint64_t Address, Allocation &Result);
  /// The same for the next one of CONTEXT; FROM is 0 at the first call.
  bool takeOf(uint32_t Context, size_t &From, Allocation &Result);
  /// At an address that isn't in it. False without memory.
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
  explicit MemoryUse(GpuStore &Store) : Store(Store) {}

  /// An operation of NODE's, in any order.
  void add(const MemoryOperation &Operation, uint32_t Node);
  /// CONTEXT ended at TICKS, with all its memory.
  void endContext(uint32_t Context, uint64_t Ticks);
  /// Follows all operations before UNTIL; UINT64_MAX: all.
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
  void enter(const Waiting &Operation);
  void follow(const Waiting &Operation);
  void allocate(const Waiting &Operation);
  void free(uint64_t Address);
  void release(const LiveAllocations::Allocation &Gone);
  // Null without memory.
  Held *held(uint32_t Device, loopscope_gpu_memory_kind Kind);
  void noteOnDevice(const Held &Now, uint32_t Node);

  static constexpr size_t MostWaiting = size_t(1) << 16;

  GpuStore &Store;
  EarliestFirst<Waiting> Order;
  uint64_t Frontier = 0; // time of the last operation that was followed
  LiveAllocations Live;
  Array<Held> Totals;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_MEMORY_H
