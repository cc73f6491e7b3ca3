// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a span's guard is on the stack: the low half of the stack pointer in
// the function that opened the span, kept in loopscope_profile_node::open,
// where any value but 0 says that the span is open. A span whose function is no
// longer on the stack was left by a jump (dead_spans.h).
//
// Only guards that the rewriter inserts have a place: they are destroyed by the
// function that made them. Spans opened by hand (loopscope.h) and by extensions
// outlive the function that opened them, and have none.

#ifndef LOOPSCOPE_BASE_STACK_MARK_H
#define LOOPSCOPE_BASE_STACK_MARK_H

#include "stack_pointer.h"

#include <stdint.h>

namespace loopscope::runtime {

/// A mark that has been computed, and where the hook was called, by the low
/// half of the return address; slow paths keep both.
struct KnownMark {
  uint32_t Value;
  uint32_t Place;
  void storeTo(uint32_t &Open) const { Open = Value; }
};

/// Of a span without a place. Never the mark of a place: calls leave the stack
/// pointer at a multiple of 8.
constexpr KnownMark NoPlace{1, 0};

/// The mark of a hook's caller: its stack pointer after the call, which is the
/// hook's own at first; measureOwnCost() checks it.
struct HereMark {
  __attribute__((always_inline)) void storeTo(uint32_t &Open) const {
    storeHookStack(Open);
  }
};

/// A hook that the rewriter inserted.
struct ByGuard {
  static constexpr HereMark Quick{};
  /// The mark of the hook into which this is inlined, with frame or without.
  static __attribute__((always_inline)) KnownMark known() {
    auto Frame = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
    auto Place = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    return {static_cast<uint32_t>(Frame - CallBytes),
            static_cast<uint32_t>(Place)};
  }
};

/// A hook that was called by hand.
struct ByHand {
  static constexpr KnownMark Quick = NoPlace;
  static KnownMark known() { return NoPlace; }
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_STACK_MARK_H
