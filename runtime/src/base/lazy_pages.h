// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of entries, each mapped at its first use: side tables of the call paths
// that an extension needs for few of them. Constant initialisation; any thread
// finds and makes pages, without a lock.

#ifndef LOOPSCOPE_BASE_LAZY_PAGES_H
#define LOOPSCOPE_BASE_LAZY_PAGES_H

#include "memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

namespace loopscope::runtime {

/// COUNT pages of the type PAGE, which must be valid when it is all zeros.
template <typename Page, uint32_t Count> class LazyPages {
public:
  /// The page I, or null if it isn't used yet.
  Page *find(uint32_t I) const {
    return __atomic_load_n(&Used[I], __ATOMIC_ACQUIRE);
  }

  /// The page I, all zeros if it is new; null if out of memory.
  Page *findOrMake(uint32_t I) {
    if (Page *Known = find(I))
      return Known;
    Page *New = __atomic_exchange_n(&Spare[I], nullptr, __ATOMIC_ACQ_REL);
    if (New != nullptr)
      memset(static_cast<void *>(New), 0, sizeof(Page));
    else
      New = static_cast<Page *>(mapMemory(sizeof(Page)));
    Page *Other = nullptr;
    if (New == nullptr ||
        __atomic_compare_exchange_n(&Used[I], &Other, New, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return New;
    munmap(static_cast<void *>(New), sizeof(Page));
    return Other;
  }

  /// Forgets all entries, for a child. Its pages stay mapped for later use,
  /// since to unmap hundreds of them would take most of a fork's time. Only one
  /// thread.
  void forget() {
    for (uint32_t I = 0; I < Count; ++I)
      if (Used[I] != nullptr) {
        Spare[I] = Used[I];
        Used[I] = nullptr;
      }
  }

private:
  Page *Used[Count] = {};
  Page *Spare[Count] = {};
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_LAZY_PAGES_H
