// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which node launched what: a fixed table by correlation id, written by the
// threads that call CUDA and read by the collector. No locks; an entry that was
// overwritten, because its number came round again, is no entry.
#ifndef LOOPSCOPE_GPU_LAUNCHES_H
#define LOOPSCOPE_GPU_LAUNCHES_H

#include <stdint.h>

namespace loopscope::runtime {

/// A CUDA call, as far as its device work needs it.
struct Launch {
  uint32_t Node;  ///< index, LOOPSCOPE_NONE without one
  uint64_t Start; ///< ticks
  uint64_t End;   ///< 0: the call hasn't returned, or that isn't known
};

class Launches {
public:
  /// Gets the memory; false without. At most once.
  bool create();

  /// Notes a call at its start. Correlation ids are never 0.
  void begin(uint32_t Correlation, uint32_t Node, uint64_t Start) {
    Entry &E = Table[Correlation & (Size - 1)];
    // No store may go before the one that takes the entry away.
    __atomic_store_n(&E.Correlation, 0U, __ATOMIC_RELAXED);
    __atomic_store_n(&E.Node, Node, __ATOMIC_RELEASE);
    __atomic_store_n(&E.Start, Start, __ATOMIC_RELEASE);
    __atomic_store_n(&E.End, uint64_t(0), __ATOMIC_RELEASE);
    __atomic_store_n(&E.Correlation, Correlation, __ATOMIC_RELEASE);
  }

  /// Notes when the call returned.
  void end(uint32_t Correlation, uint64_t End) {
    Entry &E = Table[Correlation & (Size - 1)];
    if (__atomic_load_n(&E.Correlation, __ATOMIC_RELAXED) == Correlation)
      __atomic_store_n(&E.End, End, __ATOMIC_RELEASE);
  }

  /// The call with this id; false when it isn't known (any more).
  bool find(uint32_t Correlation, Launch &Result) const {
    const Entry &E = Table[Correlation & (Size - 1)];
    if (Correlation == 0 ||
        __atomic_load_n(&E.Correlation, __ATOMIC_ACQUIRE) != Correlation)
      return false;
    Result.Node = __atomic_load_n(&E.Node, __ATOMIC_ACQUIRE);
    Result.Start = __atomic_load_n(&E.Start, __ATOMIC_ACQUIRE);
    Result.End = __atomic_load_n(&E.End, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&E.Correlation, __ATOMIC_RELAXED) == Correlation;
  }

  /// Calls that may lie between a launch and its record: seconds of the
  /// quickest loop.
  static constexpr uint32_t Size = 1U << 19;

private:
  struct Entry {
    uint32_t Correlation;
    uint32_t Node;
    uint64_t Start;
    uint64_t End;
    uint64_t Unused; // keeps entries from sharing a cache line in part
  };
  Entry *Table = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_LAUNCHES_H
