// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs on a device at each moment: unions of all work, of kernels and of
// copies; how much of the device is filled; and how long exactly these call
// paths had work at the same time.
//
// The latter are the parts of the unions of rows: of a call path with all below
// it, of a name on several threads, of a stage. The report decides which rows
// exist, so no union of a row is kept here.

#ifndef LOOPSCOPE_GPU_OVERLAPS_H
#define LOOPSCOPE_GPU_OVERLAPS_H

#include "heap.h"
#include "store.h"
#include "use_windows.h"

namespace loopscope::runtime {

/// A piece of device work with its times.
struct Interval {
  uint64_t Start; ///< ticks
  uint64_t End;
  uint32_t Node;
  uint32_t Device; ///< index in the store
  uint32_t Work;   ///< likewise
  float Blocks;    ///< in kernels; 0: unknown
  bool IsKernel;
  bool Communicates; ///< a kernel of a communication library
  bool IsCut;        ///< it began earlier, but arrived too late for that part
};

/// One device; add intervals in the order of their starts.
class Overlaps {
public:
  Overlaps(GpuStore &Store, NodeTree &Tree, uint32_t Device)
      : Store(Store), Tree(Tree), Device(Device), Use(Store, Tree, Device) {}

  /// Adds work that begins, not before the last one did.
  void begin(const Interval &I);
  /// Nothing to come begins before TIME.
  void moveTo(uint64_t Time);
  /// Nothing more comes.
  void finish();
  /// The store has the device's properties, which may arrive after its first
  /// work.
  void describe();

  /// Takes a reading of the device's hardware; see UseWindows.
  bool use(const DeviceUse &Read, uint64_t Age) {
    IsUseRead = true;
    return Use.take(Read, Age, Now);
  }

  /// When the work that has begun so far ends; 0 before the first.
  uint64_t busyUntil() const { return LatestEnd; }

private:
  struct Running {
    uint64_t Start; // its end, which orders the heap
    uint32_t Node;
    bool IsKernel;
    bool Communicates;
    uint64_t Blocks; // in kernels; 0: unknown
  };
  // A call path that has work running.
  struct Member {
    uint32_t Node;
    uint32_t Kernels;
    uint32_t Others;
    uint32_t Communicating; // of Kernels
  };
  // For how long so many blocks ran before the device was described.
  struct Undescribed {
    uint64_t Blocks;
    uint64_t Ticks;
  };

  void endFirst();
  void advance(uint64_t Time);
  double filledBy(uint64_t BlocksThen) const;
  void keep(uint64_t Ticks);
  Member *memberOf(uint32_t Node);
  void change(const Running &Each, bool Begins);
  loopscope_gpu_overlap *sums();
  UseOwners owners();

  GpuStore &Store;
  NodeTree &Tree;
  uint32_t Device;
  UseWindows Use;
  bool IsUseRead = false;
  EarliestFirst<Running> Ends;
  Array<Member> Members; // longest-running first
  uint64_t Kernels = 0;
  uint64_t Blocks = 0; // sum of all running kernels
  Array<Undescribed> Kept;
  uint64_t Now = 0;
  uint64_t LatestEnd = 0;
  loopscope_gpu_overlap *Sums = nullptr; // for these members; null: unknown
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_OVERLAPS_H
