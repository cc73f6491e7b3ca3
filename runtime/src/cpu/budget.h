// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a node is worth its measures: they may cost 0.5 % of its time.
//
// Each measured span earns its part and pays its measures. A node whose balance
// is overdrawn rests; one whose spans have become longer than it takes, with a
// margin, goes on. The margin and the overdraft keep a node at the bound from
// changing back and forth.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_BUDGET_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_BUDGET_H

#include <stdint.h>

namespace loopscope::runtime {

/// Time that one measure takes, in ticks: three of four were done in less, so
/// that what a few interruptions add counts for nothing. Any thread.
class Price {
public:
  explicit constexpr Price(uint64_t First) : Ticks(First) {}
  uint64_t ticks() const { return __atomic_load_n(&Ticks, __ATOMIC_RELAXED); }

  /// What a measure that took TAKEN ticks cost. Of one that other threads
  /// interrupted, the usual price: the span's thread would have lost the
  /// processor without it, too. A kernel that puts the switch off to the end of
  /// a system call makes measures the place where it happens.
  uint64_t costOf(uint64_t Taken) const {
    constexpr uint64_t Interrupted = 8;
    uint64_t Usual = ticks();
    return Taken / Interrupted < Usual ? Taken : Usual;
  }

  void paid(uint64_t Taken) {
    // As many steps up as down where a quarter of the measures takes longer.
    uint64_t Old = ticks();
    uint64_t Step = Old / 64 + 1;
    uint64_t New = Taken > Old ? Old + 3 * Step : Old - Step;
    __atomic_store_n(&Ticks, New != 0 ? New : 1, __ATOMIC_RELAXED);
  }

private:
  uint64_t Ticks;
};

class Budget {
public:
  /// One part in so many of a span may go into its measures.
  static constexpr int64_t Part = 200;

  /// A span of DURATION ticks has been measured MEASURES times at COST. False:
  /// the node shall rest.
  bool spend(uint64_t Duration, uint32_t Measures, uint64_t Cost) {
    auto Each = static_cast<int64_t>(Cost);
    Balance += static_cast<int64_t>(Duration) / Part - Measures * Each;
    int64_t Most = 16 * Each;
    Balance = Balance < Most ? Balance : Most;
    return 2 * Balance >= -3 * Each;
  }

  /// Whether spans of DURATION ticks, or of that on average, are long enough to
  /// begin. The node's balance is even then.
  bool begin(uint64_t Duration, uint32_t Measures, uint64_t Cost) {
    if (Duration < Part * 5 / 4 * Measures * Cost)
      return false;
    Balance = 0;
    return true;
  }

private:
  int64_t Balance = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_BUDGET_H
