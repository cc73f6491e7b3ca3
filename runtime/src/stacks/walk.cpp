// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the chain of frame pointers. Each link is checked before it is read:
// it must be above the previous one in the same stack, the kernel must be able
// to read it, and its return address must follow a call in an executable
// segment.

#include "walk.h"

#include "code.h"

#include "interrupted.h"
#include "system_call.h"

#include <sys/syscall.h>

using namespace loopscope::runtime;

namespace {
constexpr uintptr_t PageBytes = 4096;
// Anything further away isn't a frame pointer.
constexpr uintptr_t MostStack = 8U << 20;

// Whether memory can be read, page by page; remembers the last two pages.
class Readable {
public:
  bool has(uintptr_t From, uintptr_t Bytes) {
    return hasPage(From / PageBytes) && hasPage((From + Bytes - 1) / PageBytes);
  }

private:
  bool hasPage(uintptr_t Page) {
    if (Page == 0 || Page == Known[0] || Page == Known[1])
      return Page != 0;
    // The kernel reads the new mask before it notices the invalid operation.
    // Any other result (EFAULT, a sandbox's) counts as unreadable.
    constexpr long NothingToDo = -1;
    constexpr long SetBytes = 8;
    constexpr long InvalidChoice = -22;
    if (systemCall(SYS_rt_sigprocmask, NothingToDo,
                   static_cast<long>(Page * PageBytes), 0,
                   SetBytes) != InvalidChoice)
      return false;
    Known[1] = Known[0];
    Known[0] = Page;
    return true;
  }

  uintptr_t Known[2] = {0, 0};
};

struct Link {
  uintptr_t Frame; // the caller's
  uintptr_t Return;
};

__attribute__((no_sanitize("address"))) uintptr_t readWord(uintptr_t At) {
  return *reinterpret_cast<const uintptr_t *>(At);
}

Link readLink(uintptr_t Frame) {
  return {readWord(Frame), readWord(Frame + sizeof(uintptr_t))};
}

// If the thread is at the start of a handler, because its signal (another
// profiler's) came at the same moment: moves AT to what that interrupts.
void leaveHandlers(Interrupted &At, Readable &Stack, Readable &Code) {
  constexpr int MostSignals = 4; // at one moment
  for (int I = 0; I < MostSignals; ++I) {
    if (!Stack.has(At.Stack, HandlerReturnBytes + sizeof(ucontext_t)))
      return;
    uintptr_t Return = readWord(At.Stack);
    if (!isCode(Return) || !Code.has(Return, HandlerEndBytes) ||
        !endsHandler(Return) ||
        !readInterrupted(
            reinterpret_cast<const void *>(At.Stack + HandlerReturnBytes), At))
      return;
  }
}
} // namespace

uint32_t loopscope::runtime::walkStack(const void *Context, uint64_t *Frames,
                                       uint32_t Most) {
  Interrupted At{};
  if (!readInterrupted(Context, At))
    return 0;
  Readable Stack;
  Readable Code;
  leaveHandlers(At, Stack, Code);
  Frames[0] = At.Instruction;
  uint32_t Depth = 1;
  uintptr_t Above = At.Stack;
  uintptr_t Frame = At.Frame;
  while (Depth < Most && Frame >= Above && Frame - At.Stack < MostStack &&
         Frame % sizeof(uintptr_t) == 0 && Stack.has(Frame, sizeof(Link))) {
    Link Next = readLink(Frame);
    if (!isCode(Next.Return - LongestCall) || !isCode(Next.Return - 1) ||
        !Code.has(Next.Return - LongestCall, LongestCall) ||
        !followsCall(Next.Return))
      break;
    Frames[Depth++] = Next.Return;
    Above = Frame + sizeof(Link);
    Frame = Next.Frame;
  }
  return Depth;
}
