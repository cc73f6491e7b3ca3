// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose work ran while the host waited. Each moment of a wait counts once: for
// the earliest-started work running on any device, or for none.

#ifndef LOOPSCOPE_GPU_WAITS_H
#define LOOPSCOPE_GPU_WAITS_H

#include "heap.h"
#include "store.h"

namespace loopscope::runtime {

class Waits {
public:
  explicit Waits(GpuStore &Store) : Store(Store) {}

  /// The thread TAG begins to wait for a device, in a call of node WAITER.
  void begin(uint32_t Tag, uint32_t Waiter, uint64_t Start);
  /// The call that began at START has returned.
  void end(uint32_t Tag, uint32_t Waiter, uint64_t Start, uint64_t End);
  /// Ends of calls were lost, so it isn't known which calls are still open.
  void forgetOpen() { Open.clear(); }

  /// Work of WORKER ran; add work in the order of its starts.
  void addWork(uint32_t Worker, uint64_t Start, uint64_t End);
  /// All work that began before UNTIL has been added; UINT64_MAX: all.
  void settle(uint64_t Until);

  /// How many waits may be kept for work that isn't known yet. Beyond that the
  /// oldest are dropped and charged to nobody.
  static constexpr size_t MostKept = size_t(1) << 18;

private:
  struct Wait {
    uint64_t Start;
    uint64_t End; // UINT64_MAX: it lasts
    uint64_t Charged;
    uint32_t Tag;
    uint32_t Waiter;
  };
  void charge(Wait &W, uint32_t Worker, uint64_t From, uint64_t To);
  void add(const Wait &W, uint32_t Worker, uint64_t Ticks);
  void finish(const Wait &W);

  GpuStore &Store;
  uint64_t Covered = 0;      // the end of all work so far
  uint64_t Settled = 0;      // see settle()
  EarliestFirst<Wait> Later; // ended; no work is known to have run meanwhile
  Array<Wait> Now;           // ended; work ran meanwhile
  Array<Wait> Open;          // one per thread
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_WAITS_H
