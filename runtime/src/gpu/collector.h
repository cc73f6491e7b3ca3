// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up device work: sums per node and kernel as work arrives; unions, idle
// times and waits once its order in time is certain. One thread; independent of
// CUPTI.

#ifndef LOOPSCOPE_GPU_COLLECTOR_H
#define LOOPSCOPE_GPU_COLLECTOR_H

#include "graph_nodes.h"
#include "launches.h"
#include "memory.h"
#include "outstanding.h"
#include "ring.h"
#include "timeline.h"

namespace loopscope::runtime {

class Collector {
public:
  /// RING is null unless each piece of work is to be recorded.
  Collector(GpuStore &Store, Launches &Calls, const GraphNodes &Graphs,
            KernelNames &Names, EventRing *Ring)
      : Store(Store), Calls(Calls), Graphs(Graphs), Names(Names), Ring(Ring),
        Missing(Calls), Order(Store), Memory(Store, Ring) {}

  void addDevice(const DeviceFacts &Facts);

  /// Adds a piece of work, in any order; NOW is later than any event so far.
  /// Work that can't be used is counted in the header.
  void addWork(const DeviceWork &W, uint64_t Now);

  /// The same for an operation on memory.
  void addMemory(const MemoryOperation &Operation, uint64_t Now);

  /// See MemoryUse.
  void endContext(uint32_t Context, uint64_t Ticks) {
    Memory.endContext(Context, Ticks);
  }

  /// Takes a reading of a device's hardware; AGE: of readings, in ticks.
  void addUse(const DeviceUse &Read, uint64_t Age) { Order.use(Read, Age); }

  /// Adds CUPTI's own overhead; KIND indexes the header's sums.
  void addOverhead(unsigned Kind, uint64_t Start, uint64_t End);

  /// The host's waits.
  Waits &waits() { return Order.Waiting; }
  /// No work still to arrive began before this; see Outstanding.
  uint64_t frontier(uint64_t Now, uint64_t OldestBuffer);
  /// See Outstanding.
  uint64_t missingKernels(uint64_t Before, uint64_t &Since) {
    return Missing.missingKernels(Before, Since);
  }
  /// No work still to arrive began before WORKS, and no memory operation took
  /// place before OPERATIONS; UINT64_MAX: nothing more arrives.
  void settle(uint64_t Works, uint64_t Operations);

private:
  const char *nameOf(const DeviceWork &W, const Launch *Call, KernelName Made);
  void addTimes(GpuStore::Work &Sums, const DeviceWork &W, const Launch &Call,
                float BlocksPerSm, float Occupancy);
  // Keeps them until the device's number of multiprocessors is known.
  void keepBlocks(GpuStore::Work &Sums, double BlockTicks);

  struct KeptBlocks {
    GpuStore::Work *Sums;
    double BlockTicks; // blocks x ticks
  };

  GpuStore &Store;
  const Launches &Calls;
  const GraphNodes &Graphs;
  KernelNames &Names;
  EventRing *Ring;
  Outstanding Missing;
  Timeline Order;
  MemoryUse Memory;
  Array<KeptBlocks> Kept;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_COLLECTOR_H
