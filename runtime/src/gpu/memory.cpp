// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of allocations, and the memory held at any time.

#include "memory.h"

#include "base/memory.h"
#include "base/probe.h"
#include "profile/counts.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

LiveAllocations::~LiveAllocations() {
  if (Slots != nullptr)
    munmap(Slots, Size * sizeof(Allocation));
}

size_t LiveAllocations::home(uint64_t Address) const {
  // Addresses are multiples of at least 256.
  return ((Address >> 8) * 0x9e3779b97f4a7c15U >> 20) & (Size - 1);
}

bool LiveAllocations::grow() {
  size_t OldSize = Size;
  Allocation *Old = Slots;
  size_t NewSize = Size == 0 ? 1024 : Size * 2;
  void *Memory = mapMemory(NewSize * sizeof(Allocation));
  if (Memory == nullptr)
    return false;
  Slots = static_cast<Allocation *>(Memory);
  Size = NewSize;
  Used = 0;
  for (size_t I = 0; I < OldSize; ++I)
    if (Old[I].Address != 0)
      add(Old[I]);
  if (Old != nullptr)
    munmap(Old, OldSize * sizeof(Allocation));
  return true;
}

bool LiveAllocations::add(const Allocation &New) {
  if (Used * 2 >= Size && !grow())
    return false;
  *probe(Slots, Size, home(New.Address),
         [](const Allocation &Each) { return Each.Address == 0; }) = New;
  ++Used;
  return true;
}

bool LiveAllocations::take(uint64_t Address, Allocation &Result) {
  if (Size == 0)
    return false;
  const Allocation *Found =
      probe(Slots, Size, home(Address), [Address](const Allocation &Each) {
        return Each.Address == Address || Each.Address == 0;
      });
  if (Found->Address == 0)
    return false;
  Result = *Found;
  takeAt(static_cast<size_t>(Found - Slots));
  return true;
}

bool LiveAllocations::takeOf(uint32_t Context, size_t &From,
                             Allocation &Result) {
  // Another entry may have moved up to the place of a removed one.
  for (; From < Size; ++From)
    if (Slots[From].Address != 0 && Slots[From].Context == Context) {
      Result = Slots[From];
      takeAt(From);
      return true;
    }
  return false;
}

void LiveAllocations::takeAt(size_t At) {
  --Used;
  // Moves later entries up, unless that puts them before their home slot.
  for (size_t Next = (At + 1) & (Size - 1); Slots[Next].Address != 0;
       Next = (Next + 1) & (Size - 1)) {
    size_t Distance = (Next - home(Slots[Next].Address)) & (Size - 1);
    if (Distance < ((Next - At) & (Size - 1)))
      continue;
    Slots[At] = Slots[Next];
    At = Next;
  }
  Slots[At].Address = 0;
}

void MemoryUse::add(const MemoryOperation &Given, uint32_t Node) {
  MemoryOperation Operation = Given;
  if (Operation.Kind == LOOPSCOPE_GPU_PINNED_MEMORY)
    Operation.Device = LOOPSCOPE_NONE; // host memory, whatever CUPTI says
  else
    Store.deviceIndex(Operation.Device);
  GpuStore::Memory *Sums = Store.memory(Node, Operation.Device, Operation.Kind);
  if (Sums == nullptr) {
    count(LOOPSCOPE_COUNT_GPU_LOST);
    return;
  }
  {
    Update<GpuStore::Memory> Writing(*Sums);
    ++(Operation.Frees ? Sums->frees : Sums->allocations);
    (Operation.Frees ? Sums->freed_bytes : Sums->allocated_bytes) +=
        Operation.Bytes;
  }
  Waiting Next = {};
  static_cast<MemoryOperation &>(Next) = Operation;
  Next.Node = Node;
  enter(Next);
}

void MemoryUse::endContext(uint32_t Context, uint64_t Ticks) {
  Waiting Next = {};
  Next.Context = Context;
  Next.Start = Ticks;
  Next.EndsContext = true;
  enter(Next);
}

void MemoryUse::enter(const Waiting &Given) {
  Waiting Next = Given;
  if (Order.size() >= MostWaiting)
    follow(Order.takeFirst());
  if (Next.Start != 0 && Next.Start >= Frontier && Order.push(Next))
    return;
  count(LOOPSCOPE_COUNT_GPU_MEMORY_LATE);
  Next.Start = Frontier;
  follow(Next);
}

void MemoryUse::settle(uint64_t Until) {
  while (Order.size() != 0 && Order.first().Start < Until)
    follow(Order.takeFirst());
}

// Until one is taken.
static constexpr LiveAllocations::Allocation Nothing = {
    0, 0, 0, 0, LOOPSCOPE_NONE, LOOPSCOPE_GPU_OTHER_MEMORY};

void MemoryUse::follow(const Waiting &Operation) {
  Frontier = Operation.Start;
  LiveAllocations::Allocation Gone = Nothing;
  size_t From = 0;
  while (Operation.EndsContext && Live.takeOf(Operation.Context, From, Gone))
    release(Gone, LOOPSCOPE_NONE);
  if (Operation.Address == 0)
    return;
  notePool(Operation);
  if (Operation.Frees)
    free(Operation.Address, Operation.Node);
  else
    allocate(Operation);
}

void MemoryUse::allocate(const Waiting &Operation) {
  free(Operation.Address, LOOPSCOPE_NONE); // its release wasn't recorded
  Held *Now = held(Operation.Device, Operation.Kind);
  LiveAllocations::Allocation New = {Operation.Address, Operation.Bytes,
                                     Operation.Device,  Operation.Context,
                                     Operation.Node,    Operation.Kind};
  if (Now == nullptr || !Live.add(New)) {
    count(LOOPSCOPE_COUNT_GPU_MEMORY_LATE);
    return;
  }
  Now->Bytes += Operation.Bytes;
  noteHeld(New, false);
  noteEvent(*Now, New.Bytes, New.Node, false);
  GpuStore::Memory *Sums =
      Store.memory(Operation.Node, Operation.Device, Operation.Kind);
  if (Sums != nullptr && Sums->peak_bytes < Now->Bytes) {
    Update<GpuStore::Memory> Writing(*Sums);
    Sums->peak_bytes = Now->Bytes;
  }
  noteOnDevice(*Now, Operation.Node);
}

// Memory allocated before collection isn't known here, so its release isn't
// either.
void MemoryUse::free(uint64_t Address, uint32_t Node) {
  LiveAllocations::Allocation Gone = Nothing;
  if (Live.take(Address, Gone))
    release(Gone, Node);
}

void MemoryUse::release(const LiveAllocations::Allocation &Gone,
                        uint32_t Node) {
  if (Held *Now = held(Gone.Device, Gone.Kind)) {
    Now->Bytes -= Gone.Bytes;
    noteHeld(Gone, true);
    noteOnDevice(*Now, LOOPSCOPE_NONE);
    noteEvent(*Now, Gone.Bytes, Node, true);
  }
}

// A record says what its pool has after the operation.
void MemoryUse::notePool(const Waiting &Operation) {
  if (Ring == nullptr || Operation.Pool == 0)
    return;
  for (Pool &Each : Pools)
    if (Each.Address == Operation.Pool && Each.Device == Operation.Device) {
      Each.UnusedBytes = Operation.PoolUnused;
      return;
    }
  Pools.push({Operation.Pool, Operation.Device, Operation.PoolUnused});
}

void MemoryUse::noteEvent(const Held &Now, uint64_t Bytes, uint32_t Node,
                          bool Frees) {
  if (Ring == nullptr)
    return;
  loopscope_gpu_memory_event E = {};
  E.ticks = Frontier;
  E.bytes = Bytes;
  E.held_bytes = Now.Bytes;
  for (const Pool &Each : Pools)
    if (Each.Device == Now.Device && Now.Kind == LOOPSCOPE_GPU_DEVICE_MEMORY)
      E.pool_bytes += Each.UnusedBytes;
  E.node = Node;
  E.device = Now.Device;
  E.kind = static_cast<uint16_t>(Now.Kind);
  E.frees = Frees ? 1 : 0;
  Ring->add(E);
}

MemoryUse::Held *MemoryUse::held(uint32_t Device,
                                 loopscope_gpu_memory_kind Kind) {
  for (Held &Each : Totals)
    if (Each.Device == Device && Each.Kind == Kind)
      return &Each;
  return Totals.push({Device, Kind, 0}) ? &Totals.back() : nullptr;
}

// Comes before noteOnDevice(), so that what the node held at the device's last
// peak is kept before it changes.
void MemoryUse::noteHeld(const LiveAllocations::Allocation &Of, bool Frees) {
  uint32_t Index = Of.Kind == LOOPSCOPE_GPU_DEVICE_MEMORY
                       ? Store.deviceIndex(Of.Device)
                       : UINT32_MAX;
  GpuStore::Memory *Sums =
      Index == UINT32_MAX ? nullptr : Store.memory(Of.Node, Of.Device, Of.Kind);
  if (Sums == nullptr)
    return;
  uint64_t Peak = Store.device(Index).memory_peak_number;
  Update<GpuStore::Memory> Writing(*Sums);
  if (Sums->peak_number < Peak) {
    Sums->held_at_peak = Sums->held_bytes;
    Sums->peak_number = Peak;
  }
  Sums->held_bytes += Frees ? -Of.Bytes : Of.Bytes;
}

void MemoryUse::noteOnDevice(const Held &Now, uint32_t Node) {
  if (Now.Kind != LOOPSCOPE_GPU_DEVICE_MEMORY)
    return;
  uint32_t Index = Store.deviceIndex(Now.Device);
  if (Index == UINT32_MAX)
    return;
  GpuStore::Device &D = Store.device(Index);
  Update<GpuStore::Device> Writing(D);
  D.memory_now = Now.Bytes;
  if (Now.Bytes > D.memory_peak) {
    D.memory_peak = Now.Bytes;
    D.memory_peak_node = Node;
    ++D.memory_peak_number;
  }
}
