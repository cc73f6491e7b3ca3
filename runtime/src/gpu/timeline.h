// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only shows when all work is seen in order of time: how long a device was
// busy with one thing at least, how long it had nothing to do, and whose work
// ran while the host waited.
//
// Records arrive out of order, so an interval waits here until nothing that
// started before it can come any more.
#ifndef LOOPSCOPE_GPU_TIMELINE_H
#define LOOPSCOPE_GPU_TIMELINE_H

#include "heap.h"
#include "store.h"

namespace loopscope::runtime {

/// A piece of device work with its times.
struct Interval {
  uint64_t Start; ///< ticks
  uint64_t End;
  uint32_t Node;
  uint32_t Device;   ///< index in the store
  float BlocksPerSm; ///< kernels; negative when unknown
  bool IsKernel;
};

/// How much of a device its kernels fill at each moment.
class Concurrency {
public:
  /// A kernel that starts at START, not before the last one; adds what is known
  /// since then to SUM (ticks x share of multiprocessors with a block).
  void add(uint64_t Start, uint64_t End, float BlocksPerSm, double &Sum);
  /// Ends all kernels that are left.
  void finish(double &Sum) { moveTo(UINT64_MAX, Sum); }

private:
  struct Running {
    uint64_t End;
    float Blocks;
  };
  void moveTo(uint64_t Time, double &Sum);

  static constexpr unsigned MostAtOnce = 128; // what a device can run
  Running Kernels[MostAtOnce];
  unsigned Count = 0;
  uint64_t Now = 0;
};

class Timeline {
public:
  explicit Timeline(GpuStore &Store) : Store(Store) {}

  /// Takes an interval in; false when it is too late for that.
  bool add(const Interval &I);

  /// The thread TAG waits for a device, in a call of node WAITER.
  void beginWait(uint32_t Tag, uint32_t Waiter, uint64_t Start);
  /// The call that began at START has returned.
  void endWait(uint32_t Tag, uint32_t Waiter, uint64_t Start, uint64_t End);

  /// Counts everything that ended before UNTIL; UINT64_MAX: everything.
  void settle(uint64_t Until);

  /// Intervals that may wait at once; beyond, the oldest are counted early.
  static constexpr size_t MostWaiting = size_t(1) << 18;

private:
  struct DeviceState {
    uint64_t AllEnd, KernelEnd, CopyEnd; // of what was counted, so far
    Concurrency Filled;
  };
  struct NodeState {
    uint64_t AllEnd, KernelEnd;
  };
  // A wait whose time up to Done is counted. End is UINT64_MAX while it lasts.
  struct Wait {
    uint32_t Tag;
    uint32_t Waiter;
    uint64_t Start;
    uint64_t Done;
    uint64_t End;
  };

  void countFirst();
  void countDevice(const Interval &I);
  void countNode(const Interval &I, uint64_t Idle);
  void countWaits(const Interval &I);
  void charge(Wait &W, uint32_t Worker, uint64_t UpTo);
  void dropWait(size_t Index);
  Wait *findWait(uint32_t Tag, uint64_t Start);

  GpuStore &Store;
  EarliestFirst<Interval> Waiting;
  uint64_t Frontier = 0; // start of the last interval that was counted
  Array<DeviceState> Devices;
  Array<NodeState> Nodes;
  Array<Wait> Waits;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_TIMELINE_H
