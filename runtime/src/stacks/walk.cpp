// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk through the process's own memory. Every page is checked before it is
// read.

#include "walk.h"

#include "code.h"
#include "known_rules.h"
#include "readable.h"
#include "walk_steps.h"

#include "interrupted.h"

using namespace loopscope::runtime;

namespace {
class OwnMemory {
public:
  bool readWord(uintptr_t From, uintptr_t &Into) {
    if (!Stack.has(From, sizeof(uintptr_t)))
      return false;
    Into = loopscope::runtime::readWord(From);
    return true;
  }
  bool readContext(uintptr_t From, Interrupted &Into) {
    return Stack.has(From, sizeof(ucontext_t)) &&
           readInterrupted(reinterpret_cast<const void *>(From), Into);
  }
  static constexpr bool endsEarly() { return false; }
  // Where the stack ends isn't known.
  static constexpr bool isLast(const Interrupted & /*At*/) { return false; }

  FrameRule ruleAt(uintptr_t Address) { return knownRule(Address, Code); }
  bool isAfterCall(uintptr_t Address) {
    return isCode(Address - LongestCall, Address - 1) &&
           Code.has(Address - LongestCall, LongestCall) && followsCall(Address);
  }
  bool endsHandler(uintptr_t Address) {
    return isCode(Address, Address) && Code.has(Address, HandlerEndBytes) &&
           loopscope::runtime::endsHandler(Address);
  }

private:
  Readable Stack;
  Readable Code; // and its tables
};
} // namespace

void loopscope::runtime::walkStack(const void *Context, WalkedStack &Into) {
  Interrupted At{};
  if (!readInterrupted(Context, At))
    return;
  OwnMemory Memory;
  StackWalk(Memory).run(At, Into);
}
