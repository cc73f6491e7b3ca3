// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which node launched what: a fixed table by correlation id, written by the
// threads that call CUDA and read by the collector. No locks. An entry is lost
// when its slot is reused by a later id.

#ifndef LOOPSCOPE_GPU_LAUNCHES_H
#define LOOPSCOPE_GPU_LAUNCHES_H

#include "calls.h"
#include "kernel_names.h"

#include <stdint.h>

namespace loopscope::runtime {

/// The part of a CUDA call that its device work needs.
struct Launch {
  uint32_t Node;   ///< index, LOOPSCOPE_NONE without one
  uint64_t Start;  ///< ticks
  uint64_t End;    ///< 0: the call hasn't returned, or unknown
  bool Waits;      ///< its end says nothing about its work's start
  KernelName Name; ///< the launched kernel's; 0: unknown, or not a kernel
  bool Communicates = false; ///< a kernel of a communication library
};

class Launches {
public:
  /// Allocates the table; false if out of memory. At most once.
  bool create();

  /// Records the start of a call. Correlation ids are never 0. BRINGS: the
  /// records to expect; OUTER: the call that contains this one, or 0; NAME: the
  /// kernel that it launches.
  void begin(uint32_t Correlation, uint32_t Node, uint64_t Start,
             RecordsOfCall Brings = RecordsOfCall::None, bool Waits = false,
             uint32_t Outer = 0, KernelName Name = 0,
             bool Communicates = false) {
    Entry &E = Table[Correlation & (Size - 1)];
    // No store may be moved before the one that invalidates the entry.
    __atomic_store_n(&E.Correlation, 0U, __ATOMIC_RELAXED);
    __atomic_store_n(&E.Node, Node, __ATOMIC_RELEASE);
    __atomic_store_n(&E.Start, Start, __ATOMIC_RELEASE);
    __atomic_store_n(&E.End, uint64_t(0), __ATOMIC_RELEASE);
    __atomic_store_n(&E.Outer, Outer, __ATOMIC_RELEASE);
    __atomic_store_n(&E.What,
                     uint32_t(Name) << 16 | uint32_t(Communicates) << 9 |
                         uint32_t(Waits) << 8 | uint32_t(Brings),
                     __ATOMIC_RELEASE);
    __atomic_store_n(&E.Correlation, Correlation, __ATOMIC_RELEASE);
    if (Brings == RecordsOfCall::None)
      return;
    uint64_t Place = __atomic_fetch_add(&Next, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&Order[Place & (Size - 1)], slot(Place, Correlation),
                     __ATOMIC_RELEASE);
  }

  /// Charges a call's work to another node. Call on the thread that made it.
  void charge(uint32_t Correlation, uint32_t Node) {
    Entry &E = Table[Correlation & (Size - 1)];
    if (__atomic_load_n(&E.Correlation, __ATOMIC_RELAXED) == Correlation)
      __atomic_store_n(&E.Node, Node, __ATOMIC_RELEASE);
  }

  /// Records when the call returned, and whether it put nothing on a device.
  void end(uint32_t Correlation, uint64_t End, bool NoWork = false) {
    Entry &E = Table[Correlation & (Size - 1)];
    if (__atomic_load_n(&E.Correlation, __ATOMIC_RELAXED) != Correlation)
      return;
    if (NoWork)
      __atomic_and_fetch(&E.What, ~uint32_t(0xff), __ATOMIC_RELEASE);
    __atomic_store_n(&E.End, End, __ATOMIC_RELEASE);
  }

  /// The call with this id; false if it isn't known or no longer known. OUTER:
  /// the call that contains it, or 0; BRINGS: the records to expect now.
  bool find(uint32_t Correlation, Launch &Result, uint32_t *Outer = nullptr,
            RecordsOfCall *Brings = nullptr) const {
    const Entry &E = Table[Correlation & (Size - 1)];
    if (Correlation == 0 ||
        __atomic_load_n(&E.Correlation, __ATOMIC_ACQUIRE) != Correlation)
      return false;
    Result.Node = __atomic_load_n(&E.Node, __ATOMIC_ACQUIRE);
    Result.Start = __atomic_load_n(&E.Start, __ATOMIC_ACQUIRE);
    Result.End = __atomic_load_n(&E.End, __ATOMIC_ACQUIRE);
    uint32_t What = __atomic_load_n(&E.What, __ATOMIC_ACQUIRE);
    Result.Waits = (What >> 8 & 1) != 0;
    Result.Communicates = (What >> 9 & 1) != 0;
    Result.Name = static_cast<KernelName>(What >> 16);
    if (Outer != nullptr)
      *Outer = __atomic_load_n(&E.Outer, __ATOMIC_ACQUIRE);
    if (Brings != nullptr)
      *Brings = static_cast<RecordsOfCall>(What & 0xff);
    return __atomic_load_n(&E.Correlation, __ATOMIC_RELAXED) == Correlation;
  }

  /// Calls TAKE once with the id of each call that brings records. One thread.
  template <typename Function> void takeNew(Function Take) {
    uint64_t End = __atomic_load_n(&Next, __ATOMIC_ACQUIRE);
    if (End - Seen > Size)
      Seen = End - Size; // overwritten
    uint64_t FirstUnwritten = End;
    for (uint64_t Place = Seen; Place != End; ++Place) {
      uint64_t &Slot = Order[Place & (Size - 1)];
      uint64_t Value = __atomic_load_n(&Slot, __ATOMIC_ACQUIRE);
      auto Correlation = static_cast<uint32_t>(Value);
      if (Value != slot(Place, Correlation)) {
        // Its thread is about to write it, and starts the work after that.
        FirstUnwritten = FirstUnwritten == End ? Place : FirstUnwritten;
        continue;
      }
      if (Correlation != 0)
        Take(Correlation);
      Slot = slot(Place, 0);
    }
    Seen = FirstUnwritten;
  }

  /// Calls that may lie between a launch and its record: seconds of the fastest
  /// loop.
  static constexpr uint32_t Size = 1U << 19;

private:
  struct Entry {
    uint32_t Correlation;
    uint32_t Node;
    uint64_t Start;
    uint64_t End;
    uint32_t Outer;
    uint32_t What; // RecordsOfCall in 8 bits; Waits, Communicates; from bit 16
                   // on Name
  };
  // Never 0, the value of unwritten memory.
  static uint64_t slot(uint64_t Place, uint32_t Correlation) {
    return (Place + 1) << 32 | Correlation;
  }

  Entry *Table = nullptr;
  // Ids in the order of calls. Upper half: the place, if written in this round;
  // lower half 0: taken.
  uint64_t *Order = nullptr;
  uint64_t Seen = 0; // of the thread that calls takeNew()
  alignas(64) uint64_t Next = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_LAUNCHES_H
