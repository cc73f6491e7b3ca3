// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over device work.

#include "collector.h"

#include "profile/counts.h"
#include "profile/profile_file.h"
#include "tree/extension.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
void noteEvent(EventRing &Ring, const DeviceWork &W, uint32_t Node,
               uint32_t Function, uint32_t MadeIn, float Occupancy) {
  loopscope_gpu_event E = {};
  E.start_ticks = W.Start;
  E.end_ticks = W.End;
  E.kind = static_cast<uint16_t>(W.Kind);
  E.direction = static_cast<uint16_t>(W.Direction);
  E.node = Node;
  E.function = Function;
  E.device = W.Device;
  E.context = W.Context;
  E.stream = W.Stream;
  E.correlation = W.Correlation;
  E.thread = LOOPSCOPE_NONE;
  for (int I = 0; I < 3; ++I) {
    E.grid[I] = W.Grid[I];
    E.block[I] = W.Block[I];
  }
  E.registers = W.Registers;
  E.static_shared = W.StaticShared;
  E.dynamic_shared = W.DynamicShared;
  E.graph = W.Graph;
  E.graph_node = W.GraphNode;
  E.made_in = MadeIn;
  E.bytes = W.Bytes;
  E.occupancy = Occupancy;
  Ring.add(E);
}
} // namespace

// The name of a kernel. CALL launched it, or is null if unknown; MADE is its
// name from the creation of its graph node, whose kernel may have been changed
// since: there the record's string comes first, if it can still be read.
const char *Collector::nameOf(const DeviceWork &W, const Launch *Call,
                              KernelName Made) {
  KernelName Name = W.GraphNode == 0 && Call != nullptr ? Call->Name : 0;
  if (Name == 0 && W.Name != nullptr)
    Name = Names.noteRecorded(W.Name, Call == nullptr ? 0 : Call->Start);
  if (Name == 0)
    Name = Made;
  if (Name != 0)
    return Names.text(Name);
  if (W.Name == nullptr)
    return "(no name)";
  count(LOOPSCOPE_COUNT_GPU_UNNAMED);
  return "(kernel of an unloaded module)";
}

void Collector::addTimes(GpuStore::Work &Sums, const DeviceWork &W,
                         const Launch &Call, float BlocksPerSm,
                         float Occupancy) {
  __extension__ using Wide = unsigned __int128;
  uint64_t Ticks = W.End - W.Start;
  Wide Squares = (static_cast<Wide>(Sums.square_high) << 64 | Sums.square_low) +
                 static_cast<Wide>(Ticks) * Ticks;
  Sums.square_low = static_cast<uint64_t>(Squares);
  Sums.square_high = static_cast<uint64_t>(Squares >> 64);
  Sums.sum_ticks += Ticks;
  if (Ticks < Sums.min_ticks)
    Sums.min_ticks = Ticks;
  if (Ticks > Sums.max_ticks)
    Sums.max_ticks = Ticks;
  if (Call.End != 0 && !Call.Waits) {
    if (W.Graph == 0 && Ticks < Call.End - Call.Start)
      ++Sums.shorter;
    if (W.Start > Call.End)
      Sums.queue_ticks += W.Start - Call.End;
  }
  auto Weight = static_cast<double>(Ticks);
  if (BlocksPerSm >= 0)
    Sums.blocks_per_sm_ticks += static_cast<double>(BlocksPerSm) * Weight;
  else if (W.Kind == LOOPSCOPE_GPU_KERNEL && W.blocks() != 0)
    keepBlocks(Sums, static_cast<double>(W.blocks()) * Weight);
  if (Occupancy >= 0) {
    Sums.occupancy_ticks += static_cast<double>(Occupancy) * Weight;
    Sums.occupancy_known_ticks += Weight;
  }
}

void Collector::keepBlocks(GpuStore::Work &Sums, double BlockTicks) {
  for (KeptBlocks &Each : Kept)
    if (Each.Sums == &Sums) {
      Each.BlockTicks += BlockTicks;
      return;
    }
  Kept.push({&Sums, BlockTicks});
}

void Collector::addDevice(const DeviceFacts &Facts) {
  Store.describe(Facts);
  uint32_t Index = Store.deviceIndex(Facts.Id);
  if (Index == UINT32_MAX || Store.device(Index).multiprocessors <= 0)
    return;
  Order.describe(Index);
  size_t Left = 0;
  for (const KeptBlocks &Each : Kept) {
    if (Each.Sums->device != Facts.Id) {
      Kept[Left++] = Each;
      continue;
    }
    Update<GpuStore::Work> Writing(*Each.Sums);
    Each.Sums->blocks_per_sm_ticks +=
        Each.BlockTicks / Store.device(Index).multiprocessors;
  }
  while (Kept.size() > Left)
    Kept.popBack();
}

void Collector::addWork(const DeviceWork &W, uint64_t Now) {
  __atomic_store_n(&Header->gpu_records, Header->gpu_records + 1,
                   __ATOMIC_RELAXED);
  Launch Call = {LOOPSCOPE_NONE, 0, 0, false, 0};
  bool IsKnown = Missing.arrived(W.Correlation, Call);
  bool Timed = W.Start != 0 && W.End != 0;
  if (Timed &&
      (W.End < W.Start || W.Start < Header->start_ticks || W.End > Now)) {
    count(LOOPSCOPE_COUNT_GPU_OUTSIDE);
    return;
  }
  if (!IsKnown)
    count(LOOPSCOPE_COUNT_GPU_UNRESOLVED);
  uint32_t Device = Store.deviceIndex(W.Device);
  GraphNodes::Made Made = {LOOPSCOPE_NONE, 0};
  if (W.GraphNode != 0)
    Made = Graphs.find(W.GraphNode);
  uint32_t Function =
      W.Kind == LOOPSCOPE_GPU_KERNEL
          ? Store.function(nameOf(W, IsKnown ? &Call : nullptr, Made.Name))
          : LOOPSCOPE_NONE;
  // See loopscope_gpu_work.
  uint32_t MadeIn = W.GraphNode == 0 ? 0 : Made.Node + 1;
  uint32_t Work = Device == UINT32_MAX
                      ? UINT32_MAX
                      : Store.workIndex(W, Call.Node, Function, MadeIn);
  if (Work == UINT32_MAX) {
    count(LOOPSCOPE_COUNT_GPU_LOST);
    return;
  }
  GpuStore::Work &Sums = Store.work(Work);
  float BlocksPerSm = -1;
  float Occupancy = -1;
  GpuStore::Device &D = Store.device(Device);
  if (W.Kind == LOOPSCOPE_GPU_KERNEL) {
    BlocksPerSm = static_cast<float>(blocksPerMultiprocessor(W, D));
    Occupancy = static_cast<float>(estimatedOccupancy(W, D));
  }
  {
    Update<GpuStore::Work> Writing(Sums);
    ++Sums.count;
    Sums.bytes += W.Bytes;
    Sums.graph_count += W.Graph != 0 ? 1 : 0;
    if (Timed)
      addTimes(Sums, W, Call, BlocksPerSm, Occupancy);
    else
      ++Sums.no_time;
  }
  if (Ring != nullptr && Timed)
    noteEvent(*Ring, W, Call.Node, Function, MadeIn, Occupancy);
  if (!Timed) {
    count(LOOPSCOPE_COUNT_GPU_NO_TIME);
    return;
  }
  {
    Update<GpuStore::Device> Writing(D);
    if (W.Start < D.first_start_ticks)
      D.first_start_ticks = W.Start;
    if (W.End > D.last_end_ticks)
      D.last_end_ticks = W.End;
  }
  if (Call.Communicates)
    callExtensions(&Extension::KernelRan, W.Correlation, W.Start, W.End);
  bool IsKernel = W.Kind == LOOPSCOPE_GPU_KERNEL;
  if (!Order.add({W.Start, W.End, Call.Node, Device, Work,
                  IsKernel ? static_cast<float>(W.blocks()) : 0, IsKernel,
                  Call.Communicates, false}))
    count(LOOPSCOPE_COUNT_GPU_LATE);
}

void Collector::settle(uint64_t Works, uint64_t Operations) {
  Order.settle(Works);
  Memory.settle(Operations);
  __atomic_store_n(&Header->counters[LOOPSCOPE_COUNT_GPU_UNSETTLED],
                   uint64_t(Order.unsettled()), __ATOMIC_RELAXED);
}

uint64_t Collector::frontier(uint64_t Now, uint64_t OldestBuffer) {
  return Missing.look(Now, OldestBuffer);
}

void Collector::addMemory(const MemoryOperation &Operation, uint64_t Now) {
  if (Operation.Start != 0 &&
      (Operation.Start < Header->start_ticks || Operation.Start > Now)) {
    count(LOOPSCOPE_COUNT_GPU_OUTSIDE);
    return;
  }
  Launch Call = {LOOPSCOPE_NONE, 0, 0, false, 0};
  Calls.find(Operation.Correlation, Call);
  Memory.add(Operation, Call.Node);
}

void Collector::addOverhead(unsigned Kind, uint64_t Start, uint64_t End) {
  if (Start == 0)
    return;
  // CUPTI's start may lie before the run.
  if (Start < Header->start_ticks)
    Start = Header->start_ticks;
  if (End < Start)
    return;
  uint64_t &Sum = Header->gpu_overhead_ticks[Kind];
  __atomic_store_n(&Sum, Sum + (End - Start), __ATOMIC_RELAXED);
  if (Ring == nullptr)
    return;
  loopscope_gpu_event E = {};
  E.start_ticks = Start;
  E.end_ticks = End;
  E.kind = LOOPSCOPE_GPU_OVERHEAD;
  E.node = E.function = E.device = E.thread = LOOPSCOPE_NONE;
  E.occupancy = -1;
  Ring->add(E);
}
