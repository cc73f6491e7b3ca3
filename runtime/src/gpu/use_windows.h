// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Charges what the hardware of one device did between two readings to the call
// path whose work the device did meanwhile.
//
// NVML's readings are up to DeviceUseAgeMs old, so the time that counts begins
// that much before the first one. A window belongs to the deepest call path
// below which work ran for 95 % of this time; otherwise to the deepest step,
// loop, epoch, stage or root with 95 % of the work's time: whatever stands
// idle, or alternates within a window, says nothing of a phase. Then at most 5
// % of a phase's window was another's.
//
// A window of PM sampling is exactly what lies between its times, so it belongs
// to the deepest call path with 95 % of the work's time, and a phase gets the
// time only in which work ran: the hardware did nothing in the rest, which goes
// to the step, loop, epoch, stage or root around it.

#ifndef LOOPSCOPE_GPU_USE_WINDOWS_H
#define LOOPSCOPE_GPU_USE_WINDOWS_H

#include "node_tree.h"
#include "store.h"
#include "tree/device_use.h"

namespace loopscope::runtime {

/// Whose work ran on a device: the nearest common call path of the kernels, and
/// of what used links to other devices (copies, sets, kernels that
/// communicate); the other's if there is none of one. LOOPSCOPE_NONE: none in
/// common.
struct UseOwners {
  uint32_t OfKernels;
  uint32_t OfLinks;
};

class UseWindows {
public:
  UseWindows(GpuStore &Store, NodeTree &Tree, uint32_t Device)
      : Store(Store), Tree(Tree), Device(Device) {}

  /// Takes a reading, in the order of time. AGE: of readings, in ticks;
  /// COUNTED: the end of what pass() has had. False: there was no room.
  bool take(const DeviceUse &Use, uint64_t Age, uint64_t Counted);

  /// Work of OWNERS, or nothing (null), ran between the two times. Call it for
  /// all times, in order.
  void pass(uint64_t From, uint64_t To, const UseOwners *Owners);

  /// How many windows of a source may wait for their work to arrive (33 s of
  /// samples that are 500 us apart); what comes beyond that is left out.
  static constexpr size_t MostWaiting = 65536;

private:
  struct Window {
    uint64_t Begin; // the first reading
    uint64_t From;  // Begin without its age
    uint64_t To;    // the second reading; UINT64_MAX: not yet
    DeviceUse Use;  // once there is the second reading
    bool IsWhole;   // nothing of its time had passed when it began
  };
  // Time by call path.
  class Times {
  public:
    void add(uint32_t Node, uint64_t Ticks);
    void clear();
    uint64_t of(uint32_t Node) { return ByNode[Node]; }
    const Array<uint32_t> &nodes() const { return Nodes; }
    Array<uint32_t> &nodes() { return Nodes; }
    uint64_t All = 0; // also of no node

  private:
    Array<uint64_t> ByNode;
    Array<uint32_t> Nodes; // those with time
  };
  struct Owner {
    uint32_t Node;
    loopscope_gpu_use_owner Kind;
    uint64_t BusyTicks;
    uint64_t Ticks; // of the window that are the owner's
  };
  struct Source {
    Array<Window> Waiting; // from First on
    size_t First = 0;
    // Of the windows with even and odd numbers; not more than two overlap.
    Times Kernels[2];
    Times Links[2];
    uint64_t Number = 0; // of the first window
  };

  uint32_t nearestAround(uint32_t Node);
  Owner ownerOf(Times &Of, const Window &W);
  void charge(const Owner &O, uint32_t Use, double Value, double Integral);
  void finish(const Window &W, Times &Kernels, Times &Links);
  void removeFirst(Source &S);

  GpuStore &Store;
  NodeTree &Tree;
  uint32_t Device; // index in the store
  Source Sources[AllDeviceUseSources];
  Times Below; // used by ownerOf()
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_USE_WINDOWS_H
