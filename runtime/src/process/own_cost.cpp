// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the cost of an empty span when the profile is made: a few hundred
// spans on a scratch tree, a few microseconds.

#include "own_cost.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stack_mark.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "tree/dead_spans.h"
#include "tree/own_tree.h"

#include <loopscope/loopscope.h>

#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr int Rounds = 8;
constexpr uint64_t FewSpans = 64;
// The fastest round is too fast by up to a tick: with slow ticks, rounds are
// longer.
constexpr uint64_t ManySpans = 1024;
constexpr uint64_t SlowHz = 200'000'000;
constexpr uint64_t Scale = 1024;

// A thread with one phase below its root, outside the profile.
struct alignas(64) ScratchTree {
  char OwnParts[OwnDistance];
  Thread Owner;
  ThreadLinks Links;
  Node Root;
  Node Phase;
  loopscope_histogram Histogram;
};

// A hook without a frame stores the stack pointer that its caller's call left.
void checkMarks(const loopscope_site &Site, const Node &Phase) {
  uint32_t Here = 0;
  storeStackPointer(Here);
  loopscope_token Token = __loopscope_enter(&Site);
  if (Phase.open != Here - CallBytes)
    distrustMarks();
  __loopscope_leave(Token);
}
} // namespace

void loopscope::runtime::measureOwnCost(loopscope_profile_header &Into) {
  static const loopscope_site Site =
      LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "", 0, "");
  void *Memory = mapMemory(sizeof(ScratchTree)); // too large for a stack
  if (Memory == nullptr)
    return;
  auto &Scratch = *static_cast<ScratchTree *>(Memory);
  ownPart<ThreadWords>(Scratch.Owner.writer_private).Links = &Scratch.Links;
  Scratch.Links.Owner = &Scratch.Owner;
  links(&Scratch.Owner).Current = &Scratch.Root;
  links(&Scratch.Owner).CalibrateAt = UINT64_MAX;
  links(&Scratch.Root).Cursor = &Scratch.Phase;
  links(&Scratch.Root).FirstChild = &Scratch.Phase;
  links(&Scratch.Phase).Parent = &Scratch.Root;
  links(&Scratch.Root).Successor = &Scratch.Root;
  links(&Scratch.Phase).FirstChild = noChild();
  links(&Scratch.Phase).Successor = &Scratch.Phase;
  links(&Scratch.Phase).Cursor = noChild();
  links(&Scratch.Phase).Site = &Site;
  links(&Scratch.Phase).Histogram = &Scratch.Histogram;
  Thread *&Own = ThisThread.Memory->Tree;
  Thread *Saved = Own;
  Own = &Scratch.Owner;
  chooseFast(Own, false);
  checkMarks(Site, Scratch.Phase);
  // Take the fastest round: anything slower has costs that aren't the hooks'.
  uint64_t Spans = TicksPerSecond < SlowHz ? ManySpans : FewSpans;
  uint64_t Inside = UINT64_MAX;
  uint64_t Whole = UINT64_MAX;
  for (int Round = 0; Round < Rounds; ++Round) {
    uint64_t Before = Scratch.Phase.sum_ticks;
    uint64_t Start = now();
    for (uint64_t I = 0; I < Spans; ++I)
      __loopscope_leave(__loopscope_enter(&Site));
    uint64_t Spent = now() - Start;
    uint64_t Measured = Scratch.Phase.sum_ticks - Before;
    Inside = Measured < Inside ? Measured : Inside;
    Whole = Spent < Whole ? Spent : Whole;
  }
  Own = Saved;
  forgetFast(); // attachThread sets them
  Into.hook_inside_ticks1024 = Inside * Scale / Spans;
  Into.hook_outside_ticks1024 =
      Whole > Inside ? (Whole - Inside) * Scale / Spans : 0;
  munmap(Memory, sizeof(ScratchTree));
}
