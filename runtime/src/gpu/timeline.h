// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts that need all work in order of time: what ran at once, how long a
// device was idle, and whose work ran while the host waited.
//
// Records arrive out of order, so an interval waits here until nothing that
// started earlier can arrive any more; outstanding.h determines that.

#ifndef LOOPSCOPE_GPU_TIMELINE_H
#define LOOPSCOPE_GPU_TIMELINE_H

#include "heap.h"
#include "overlaps.h"
#include "store.h"
#include "waits.h"

namespace loopscope::runtime {

class Timeline {
public:
  explicit Timeline(GpuStore &Store) : Waiting(Store), Store(Store) {}
  ~Timeline();

  /// Adds an interval. False if it is too late: then only its part after the
  /// counted work is added.
  bool add(const Interval &I);

  /// Counts everything that started before UNTIL; nothing still to arrive
  /// starts before that. UINT64_MAX: everything.
  void settle(uint64_t Until);

  /// The store has the properties of the device with index DEVICE.
  void describe(uint32_t Device);

  /// Takes a reading of a device's hardware; AGE: of readings, in ticks.
  void use(const DeviceUse &Read, uint64_t Age);

  /// Number of pieces of work that aren't counted yet.
  size_t unsettled() const { return Order.size(); }

  /// How many intervals may wait at once (40 MiB); beyond that, the oldest are
  /// counted early.
  static constexpr size_t MostWaiting = size_t(1) << 20;

  Waits Waiting; ///< of the host

private:
  struct NodeState {
    uint64_t AllEnd, KernelEnd; // ends of the counted work so far
  };

  struct Reading {
    DeviceUse Use;
    uint64_t Age;
  };

  void takeReadings();
  void countFirst();
  void countNode(const Interval &I, uint64_t Idle);
  void countWork(const Interval &I);
  Overlaps *deviceAt(uint32_t Index);

  GpuStore &Store;
  NodeTree Tree;
  EarliestFirst<Interval> Order;
  uint64_t Frontier = 0; // work that starts before it isn't counted any more
  Array<Overlaps *> Devices;
  Array<NodeState> Nodes;
  Array<Reading> Readings; // not yet taken
  // How far each union has got, by index in the store.
  Array<uint64_t> Works;
  Array<uint64_t> SameWorks;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_TIMELINE_H
