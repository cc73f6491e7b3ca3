// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How to get from a function to its caller: the rules that compilers write for
// exceptions (.eh_frame), which need no frame pointer.
//
// Only what code generators use is understood: the caller's stack pointer is a
// distance from the stack or frame pointer, or in a word there; the frame
// pointer is unchanged, or saved. Anything else counts as no rule.

#ifndef LOOPSCOPE_STACKS_FRAME_RULES_H
#define LOOPSCOPE_STACKS_FRAME_RULES_H

#include "readable.h"

#include <stdint.h>

namespace loopscope::runtime {

/// Where the caller's stack pointer is (the canonical frame address, CFA).
enum class CallerStack : uint8_t {
  Unknown,
  AboveStack,  ///< the stack pointer + Distance
  AboveFrame,  ///< the frame pointer + Distance
  InFrame,     ///< in the word at the frame pointer + Distance
  InLinkTable, ///< a stub of the procedure linkage table: depends on how far
               ///< it has run; Distance is where its push ends
  Outermost,   ///< nobody called this function
  OfSignal,    ///< a handler returns to this code; the registers are on the
               ///< stack
};

/// Where the caller's frame pointer is.
enum class CallerFrame : uint8_t {
  Unchanged,
  BelowCaller, ///< in the word at the caller's stack pointer + FrameDistance
  AtFrame,     ///< in the word at the frame pointer + FrameDistance
};

/// The rule at one address. The return address is below the caller's stack
/// pointer.
struct FrameRule {
  CallerStack Stack = CallerStack::Unknown;
  CallerFrame Frame = CallerFrame::Unchanged;
  int16_t FrameDistance = 0;
  int32_t Distance = 0;
};
static_assert(sizeof(FrameRule) == sizeof(uint64_t));

/// The rule for code at ADDRESS by the table at HEADER (.eh_frame_hdr), which
/// is read with checks. A rule with CallerStack::Unknown if there is none.
FrameRule readFrameRule(uintptr_t Header, uintptr_t Address, Readable &Tables);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_FRAME_RULES_H
