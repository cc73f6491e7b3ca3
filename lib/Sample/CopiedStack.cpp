// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the walk asks for, answered from copies.

#include "Sample/CopiedStack.h"

#include "stacks/walk_steps.h"

#include <cstring>
#include <optional>

using namespace loopscope;

namespace {
class CopiedMemory {
public:
  CopiedMemory(const PerfSample &Of, LoadedCode &In) : Of(Of), In(In) {}

  bool readWord(uintptr_t From, uintptr_t &Into) {
    const char *At = find(From, sizeof(Into));
    if (At != nullptr)
      std::memcpy(&Into, At, sizeof(Into));
    return At != nullptr;
  }
  bool readContext(uintptr_t From, runtime::Interrupted &Into) {
    ucontext_t Context;
    const char *At = find(From, sizeof(Context));
    if (At == nullptr)
      return false;
    std::memcpy(&Context, At, sizeof(Context));
    return runtime::readInterrupted(&Context, Into);
  }
  bool endsEarly() const { return IsBeyond; }

  // The start of programs and threads has no rules in musl.
  bool isLast(const runtime::Interrupted &At) {
    return !Of.IsCut && At.Stack > outermostCall();
  }

  runtime::FrameRule ruleAt(uintptr_t Address) { return In.ruleAt(Address); }
  bool isAfterCall(uintptr_t Address) {
    const char *At =
        In.bytes(Address - runtime::LongestCall, runtime::LongestCall);
    return At != nullptr &&
           runtime::followsCall(reinterpret_cast<uintptr_t>(At) +
                                runtime::LongestCall);
  }
  bool endsHandler(uintptr_t Address) {
    const char *At = In.bytes(Address, runtime::HandlerEndBytes);
    return At != nullptr &&
           runtime::endsHandler(reinterpret_cast<uintptr_t>(At));
  }

private:
  // Where the stack has the last word that leads into code with rules; 0:
  // nowhere.
  uintptr_t outermostCall() {
    if (Outermost)
      return *Outermost;
    Outermost = 0;
    for (size_t I = Of.StackBytes / sizeof(uintptr_t); I-- != 0;) {
      uintptr_t Word = 0;
      std::memcpy(&Word, Of.Stack + I * sizeof(Word), sizeof(Word));
      if (isAfterCall(Word) &&
          In.ruleAt(Word - 1).Stack != runtime::CallerStack::Unknown) {
        Outermost = Of.At.Stack + I * sizeof(Word);
        break;
      }
    }
    return *Outermost;
  }

  const char *find(uintptr_t From, size_t Bytes) {
    uintptr_t Offset = From - Of.At.Stack;
    if (From < Of.At.Stack)
      return nullptr;
    if (Offset > Of.StackBytes || Bytes > Of.StackBytes - Offset) {
      // Anything further up isn't on the stack.
      constexpr uintptr_t MostStack = 8U << 20;
      IsBeyond |= Of.IsCut && Offset < MostStack;
      return nullptr;
    }
    return Of.Stack + Offset;
  }

  const PerfSample &Of;
  LoadedCode &In;
  bool IsBeyond = false;
  std::optional<uintptr_t> Outermost;
};
} // namespace

runtime::WalkedStack loopscope::walkCopy(const PerfSample &Of, LoadedCode &In) {
  runtime::WalkedStack Result;
  CopiedMemory Memory(Of, In);
  runtime::StackWalk(Memory).run(Of.At, Result);
  return Result;
}
