// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks at every instruction: the processor's trap flag interrupts a function
// after each, in prologues, epilogues, tail calls, stubs and the C library, and
// the walk must lead to the thread's start each time.

#include "AsWritten.h"
#include "Fixture.h"

#include "stacks/code.h"
#include "stacks/walk.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <ucontext.h>

using namespace loopscope::runtime;

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&                   \
    !defined(__SANITIZE_THREAD__)
namespace {
struct Counts {
  uint64_t Steps, Cut, Guessed, Deepest;
  uint64_t FirstBad; // the instruction
};
volatile Counts Seen;
volatile bool IsCounting;

void atInstruction(int /*Signal*/, siginfo_t * /*Info*/, void *Context) {
  if (!IsCounting)
    return;
  WalkedStack Stack;
  walkStack(Context, Stack);
  Seen.Steps = Seen.Steps + 1;
  Seen.Cut = Seen.Cut + (Stack.IsWhole ? 0 : 1);
  Seen.Guessed = Seen.Guessed + (Stack.IsGuessed ? 1 : 0);
  if (Stack.Depth > Seen.Deepest)
    Seen.Deepest = Stack.Depth;
  if ((!Stack.IsWhole || Stack.IsGuessed) && Seen.FirstBad == 0)
    Seen.FirstBad = Stack.Frames[0];
}

// Sets the trap flag for the calling thread, or clears it. A call, so that what
// comes before it isn't done while the flags are on the stack.
AS_WRITTEN void setTrap(bool On) {
  constexpr uint64_t Trap = 0x100;
  uint64_t Flags = __builtin_ia32_readeflags_u64();
  __builtin_ia32_writeeflags_u64(On ? Flags | Trap : Flags & ~Trap);
}

volatile int Sink;
AS_WRITTEN int leaf(int Value) { return Value * 3; }
AS_WRITTEN int tail(int Value) { return leaf(Value + Sink); }
AS_WRITTEN int deep(int Depth) {
  if (Depth == 0)
    return tail(1);
  int Below = deep(Depth - 1);
  Sink = Below;
  return Below + 1;
}
// Its frame is aligned, and of a size that isn't known to the compiler.
AS_WRITTEN int aligned(int Count) {
  alignas(64) std::array<int, 16> Fixed{};
  auto *Open = static_cast<int *>(__builtin_alloca(static_cast<size_t>(Count)));
  Open[0] = Count;
  Fixed[static_cast<size_t>(Count) % 16] = Open[0];
  Sink = Fixed[3];
  return tail(Fixed[5]);
}

class WalkTest : public RuntimeTest {
protected:
  // Runs WORK, interrupted after each instruction.
  template <typename Function> static void step(Function Work) {
    loopscope_leave(loopscope_enter(site("a")));
    updateCode();
    for (volatile uint64_t *Each :
         {&Seen.Steps, &Seen.Cut, &Seen.Guessed, &Seen.Deepest, &Seen.FirstBad})
      *Each = 0;
    struct sigaction Ours = {}, Before = {};
    Ours.sa_sigaction = atInstruction;
    Ours.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &Ours, &Before);
    // The linker's stubs are bound: its resolver saves registers in a way that
    // the rules don't follow, so its callers are guessed. The compiler's tables
    // are wrong where it changes the flags.
    Work();
    setTrap(true);
    IsCounting = true;
    Work();
    IsCounting = false;
    setTrap(false);
    sigaction(SIGTRAP, &Before, nullptr);
    resetCode();
  }
};
} // namespace

TEST_F(WalkTest, FunctionsOfAllKinds) {
  step([] { Sink = deep(20) + tail(2) + aligned(100); });
  EXPECT_GT(Seen.Steps, 200U);
  EXPECT_EQ(Seen.Cut, 0U) << std::hex << Seen.FirstBad;
  EXPECT_EQ(Seen.Guessed, 0U) << std::hex << Seen.FirstBad;
}

TEST_F(WalkTest, TheLibraries) {
  int Numbers[] = {5, 3, 9, 1, 7, 2, 8};
  char Text[64];
  step([&] {
    qsort(Numbers, std::size(Numbers), sizeof(int),
          [](const void *A, const void *B) {
            return *static_cast<const int *>(A) - *static_cast<const int *>(B);
          });
    Sink = snprintf(Text, sizeof(Text), "%d %s %g", Numbers[0], "text", 0.1);
    std::string Long(100, 'x');
    Sink = static_cast<int>((Long + Long).find('y'));
    free(malloc(10000));
  });
  EXPECT_STREQ(Text, "1 text 0.1");
  EXPECT_GT(Seen.Steps, 2000U);
  EXPECT_EQ(Seen.Cut, 0U) << std::hex << Seen.FirstBad;
  EXPECT_EQ(Seen.Guessed, 0U) << std::hex << Seen.FirstBad;
}

// A recursion's calls are folded, so that its end and its start are there.
TEST_F(WalkTest, DeepRecursion) {
  step([] { Sink = deep(300); });
  EXPECT_EQ(Seen.Cut, 0U) << std::hex << Seen.FirstBad;
  EXPECT_LT(Seen.Deepest, 64U);
}
#else
TEST(WalkTest, EveryInstruction) {
  GTEST_SKIP() << "needs x86-64's trap flag, and no sanitizer";
}
#endif
