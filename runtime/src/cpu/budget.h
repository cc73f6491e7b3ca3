// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether measuring a node is worth it: measures may cost 0.5 % of its
// time.
//
// Each measured span adds to a node's balance and pays for its measures. A node
// with an overdrawn balance rests until its spans are long enough again, with a
// margin. The margin and the overdraft prevent a node near the limit from
// switching back and forth.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_BUDGET_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_BUDGET_H

#include <stdint.h>

namespace loopscope::runtime {

/// The time that one measure takes, in ticks: the value that three of four stay
/// below, so that occasional interruptions don't count. Any thread.
class Price {
public:
  explicit constexpr Price(uint64_t First) : Ticks(First) {}
  uint64_t ticks() const { return __atomic_load_n(&Ticks, __ATOMIC_RELAXED); }

  /// The part of a measure of TAKEN ticks that it cost. If other threads
  /// interrupted it, the usual price: the span's thread would have lost the
  /// processor anyway. (A kernel that delays switches to the end of a system
  /// call makes them happen in measures.)
  uint64_t costOf(uint64_t Taken) const {
    constexpr uint64_t Interrupted = 8;
    uint64_t Usual = ticks();
    return Taken / Interrupted < Usual ? Taken : Usual;
  }

  void paid(uint64_t Taken) {
    // Goes up as often as down if a quarter of the measures takes longer.
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
  /// Measures may take one part in this many of a span.
  static constexpr int64_t Part = 200;

  /// A span of DURATION ticks was measured MEASURES times, at COST each. False:
  /// the node must rest.
  bool spend(uint64_t Duration, uint32_t Measures, uint64_t Cost) {
    auto Each = static_cast<int64_t>(Cost);
    Balance += static_cast<int64_t>(Duration) / Part - Measures * Each;
    int64_t Most = 16 * Each;
    Balance = Balance < Most ? Balance : Most;
    return 2 * Balance >= -3 * Each;
  }

  /// Whether spans of DURATION ticks, at least on average, are long enough to
  /// start measuring. The node's balance is zero then.
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
