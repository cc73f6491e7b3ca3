// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a collective begins, the nodes below the outermost step are visited.

#include "work.h"

#include "phase_times.h"

#include "base/memory.h"
#include "base/own_floats.h"
#include "base/thread_memory.h"

#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t MostNodes = 256; // that are visited

struct ThreadWork {
  uint64_t Since; // end of the last collective; 0: there was none
  bool HasGap;    // a collective since then wasn't recorded
  HostWork Last;
  PhaseTimes Times;
};
LOOPSCOPE_PER_THREAD(ThreadWork *, Mine);

void addPhase(HostWork &To, const Node *N, uint64_t Ticks) {
  uint32_t At = To.Count;
  if (At == LOOPSCOPE_COLLECTIVE_PHASES) {
    if (To.Phases[--At].Ticks >= static_cast<float>(Ticks))
      return;
  } else {
    ++To.Count;
  }
  for (; At != 0 && To.Phases[At - 1].Ticks < static_cast<float>(Ticks); --At)
    To.Phases[At] = To.Phases[At - 1];
  To.Phases[At] = {N->index, static_cast<float>(Ticks)};
}

ThreadWork *mine() {
  ThreadWork *&W = *Mine;
  if (W == nullptr)
    W = static_cast<ThreadWork *>(mapMemory(sizeof(ThreadWork)));
  return W;
}
} // namespace

Node *loopscope::runtime::outermostStep(Node *N) {
  Node *Step = nullptr;
  for (; N != nullptr; N = links(N).Parent)
    if (N->kind == LOOPSCOPE_KIND_STEP)
      Step = N;
  return Step;
}

uint64_t loopscope::runtime::stepOf(Node *N) {
  Node *Step = outermostStep(N);
  return Step == nullptr ? 0 : links(links(Step).Parent).Loop.Steps;
}

bool loopscope::runtime::isInCollective(const Node *N) {
  const Node *Around = links(const_cast<Node *>(N)).Parent;
  for (; Around != nullptr; Around = links(const_cast<Node *>(Around)).Parent)
    if (Around->kind == LOOPSCOPE_KIND_COLLECTIVE)
      return true;
  return false;
}

void loopscope::runtime::lookAtWork(Node *N, uint64_t Now) {
  ThreadWork *W = mine();
  if (W == nullptr)
    return;
  W->Last = {};
  Node *Step = outermostStep(N);
  if (Step == nullptr) {
    W->Last.Count = LOOPSCOPE_NONE;
    return;
  }
  Node *Loop = links(Step).Parent;
  uint64_t From = W->Since > Loop->enter_ticks ? W->Since : Loop->enter_ticks;
  W->Last.Ticks = elapsed(From, Now);
  W->Last.Step = links(Loop).Loop.Steps;
  // Phases of earlier executions aren't this one's work.
  bool Knows = W->Times.knows(Step) ||
               timeOf(Step, Now) <= elapsed(Loop->enter_ticks, Now);
  bool Fits = false;
  withOwnFloats([&] {
    Fits = W->Times.visit(
        Step, Now, MostNodes,
        [W](const Node *Phase, uint64_t Ticks) {
          addPhase(W->Last, Phase, Ticks);
        },
        [](const Node *, uint64_t) {});
  });
  if (!Fits || !Knows)
    W->Last.Count = LOOPSCOPE_NONE;
  if (W->HasGap) {
    W->HasGap = false;
    W->Last.Ticks = 0;
    W->Last.Count = LOOPSCOPE_NONE;
  }
}

void loopscope::runtime::loseWork() {
  if (ThreadWork *W = mine())
    W->HasGap = true;
}

const HostWork *loopscope::runtime::workBefore() {
  ThreadWork *W = *Mine;
  return W == nullptr ? nullptr : &W->Last;
}

void loopscope::runtime::beginWork(uint64_t Now) {
  if (ThreadWork *W = *Mine)
    W->Since = Now;
}

void loopscope::runtime::forgetWork() {
  if (*Mine != nullptr)
    munmap(*Mine, sizeof(ThreadWork));
  *Mine = nullptr;
}
