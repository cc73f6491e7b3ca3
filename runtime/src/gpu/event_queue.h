// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes events from any thread to the collector. Bounded, without locks;
// entries that don't fit are dropped.

#ifndef LOOPSCOPE_GPU_EVENT_QUEUE_H
#define LOOPSCOPE_GPU_EVENT_QUEUE_H

#include <stdint.h>

namespace loopscope::runtime {

/// SIZE events of type T.
template <typename T, uint32_t Size> class EventQueue {
public:
  EventQueue() {
    for (uint32_t I = 0; I < Size; ++I)
      Cells[I].Turn = I;
  }

  /// Any thread.
  void push(const T &Event) {
    uint64_t At = __atomic_load_n(&Tail, __ATOMIC_RELAXED);
    for (;;) {
      Cell &C = Cells[At % Size];
      uint64_t Turn = __atomic_load_n(&C.Turn, __ATOMIC_ACQUIRE);
      if (Turn < At) { // full
        __atomic_store_n(&Lost, true, __ATOMIC_RELAXED);
        return;
      }
      if (Turn > At) {
        At = __atomic_load_n(&Tail, __ATOMIC_RELAXED);
        continue;
      }
      if (!__atomic_compare_exchange_n(&Tail, &At, At + 1, true,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
      C.Event = Event;
      __atomic_store_n(&C.Turn, At + 1, __ATOMIC_RELEASE);
      return;
    }
  }

  /// One thread. False if it is empty.
  bool pop(T &Event) {
    Cell &C = Cells[Head % Size];
    if (__atomic_load_n(&C.Turn, __ATOMIC_ACQUIRE) != Head + 1)
      return false;
    Event = C.Event;
    __atomic_store_n(&C.Turn, Head + Size, __ATOMIC_RELEASE);
    __atomic_store_n(&Head, Head + 1, __ATOMIC_RELAXED);
    return true;
  }

  /// Whether an event was dropped since the last call. On the thread that calls
  /// pop().
  bool takeLost() {
    return __atomic_exchange_n(&Lost, false, __ATOMIC_RELAXED);
  }

  /// Whether it may soon be full.
  bool isShort() const {
    return __atomic_load_n(&Tail, __ATOMIC_RELAXED) -
               __atomic_load_n(&Head, __ATOMIC_RELAXED) >
           Size / 2;
  }

private:
  struct Cell {
    uint64_t Turn; // Head + 1 or more: written
    T Event;
  };
  Cell Cells[Size] = {};
  uint64_t Tail = 0;
  uint64_t Head = 0;
  bool Lost = false;
};

/// A call that waits for a device. If one is dropped, waiting time shows
/// without known work.
struct WaitEvent {
  uint32_t Tag;   ///< of the thread
  uint32_t Node;  ///< the waiting node
  uint64_t Start; ///< ticks
  uint64_t End;   ///< 0: the call begins
};
using WaitQueue = EventQueue<WaitEvent, 1U << 14>;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_EVENT_QUEUE_H
