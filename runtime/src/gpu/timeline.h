// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only shows when all work is seen in order of time: what ran at once, how
// long a device had nothing to do, and whose work ran while the host waited.
//
// Records arrive out of order, so an interval waits here until nothing that
// started before it can come any more; outstanding.h says when that is.

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

  /// Takes an interval in. False when it is too late: only what it did after
  /// the work that is counted is taken.
  bool add(const Interval &I);

  /// Counts everything that started before UNTIL, before which nothing starts
  /// that is still to come; UINT64_MAX: everything.
  void settle(uint64_t Until);

  /// Pieces of work that aren't counted yet.
  size_t unsettled() const { return Order.size(); }

  /// Intervals that may wait at once (40 MiB); beyond, the oldest are counted
  /// early.
  static constexpr size_t MostWaiting = size_t(1) << 20;

  Waits Waiting; ///< of the host

private:
  struct NodeState {
    uint64_t AllEnd, KernelEnd; // of what was counted, so far
  };

  void countFirst();
  void countNode(const Interval &I, uint64_t Idle);
  void countWork(const Interval &I);
  Overlaps *deviceAt(uint32_t Index);

  GpuStore &Store;
  EarliestFirst<Interval> Order;
  uint64_t Frontier = 0; // nothing is counted any more that starts before it
  Array<Overlaps *> Devices;
  Array<NodeState> Nodes;
  // How far unions have got, by index in the store.
  Array<uint64_t> Works;
  Array<uint64_t> SameWorks;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_TIMELINE_H
