// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of addresses in ascending order, for a signal's handler that needs the
// one at an address while another thread adds or removes some.
//
// A sequence number guards the order. A reader that meets a change, perhaps in
// the very thread that it interrupts, doesn't wait: it is told to look at all
// ranges.

#ifndef LOOPSCOPE_STACKS_ADDRESS_ORDER_H
#define LOOPSCOPE_STACKS_ADDRESS_ORDER_H

#include <stdint.h>

namespace loopscope::runtime {

/// The numbers of up to MOST ranges, by their starts; of equal starts, the last
/// added counts. Zeroed memory is an empty one.
template <uint32_t Most> class AddressOrder {
public:
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr uint32_t Changing = UINT32_MAX - 1;

  /// Adds range NUMBER. One thread at a time; there are at most MOST.
  void add(uintptr_t Start, uint32_t Number) {
    beginChange();
    uint32_t At = Count;
    for (; At != 0 && All[At - 1].Start > Start; --At)
      set(All[At], All[At - 1]);
    set(All[At], {Start, Number});
    setCount(Count + 1);
    endChange();
  }

  /// Removes the ranges for which IS_GONE(number) says so. One thread at a
  /// time.
  template <typename Function> void remove(Function IsGone) {
    beginChange();
    uint32_t Kept = 0;
    for (uint32_t I = 0; I < Count; ++I)
      if (!IsGone(All[I].Number))
        set(All[Kept++], All[I]);
    setCount(Kept);
    endChange();
  }

  /// The number of the last range that starts at ADDRESS or before; None if
  /// there is none; Changing if the order can't be used now. Any thread, also
  /// in a signal handler.
  uint32_t find(uintptr_t Address) const {
    uint32_t Before = __atomic_load_n(&Sequence, __ATOMIC_ACQUIRE);
    if (Before % 2 != 0)
      return Changing;
    uint32_t Low = 0;
    uint32_t High = __atomic_load_n(&Count, __ATOMIC_RELAXED);
    while (Low < High) {
      uint32_t Middle = (Low + High) / 2;
      if (__atomic_load_n(&All[Middle].Start, __ATOMIC_RELAXED) <= Address)
        Low = Middle + 1;
      else
        High = Middle;
    }
    uint32_t Found =
        Low == 0 ? None
                 : __atomic_load_n(&All[Low - 1].Number, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&Sequence, __ATOMIC_RELAXED) == Before ? Found
                                                                  : Changing;
  }

private:
  struct Place {
    uintptr_t Start;
    uint32_t Number;
  };

  void beginChange() {
    __atomic_store_n(&Sequence, Sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }
  void endChange() {
    __atomic_store_n(&Sequence, Sequence + 1, __ATOMIC_RELEASE);
  }
  void setCount(uint32_t New) {
    __atomic_store_n(&Count, New, __ATOMIC_RELAXED);
  }
  static void set(Place &To, const Place &From) {
    __atomic_store_n(&To.Start, From.Start, __ATOMIC_RELAXED);
    __atomic_store_n(&To.Number, From.Number, __ATOMIC_RELAXED);
  }

  uint32_t Sequence; // odd during a change
  uint32_t Count;
  Place All[Most];
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_ADDRESS_ORDER_H
