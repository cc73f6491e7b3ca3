// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node's time so far is the time in its sums plus its open span. When a
// collective begins, the thread's nodes below the outermost step are visited,
// and each one's time is compared with its time at the previous collective. A
// node's own time is the difference minus its children's; time in collectives
// counts for no node.

#include "work.h"

#include "base/memory.h"
#include "base/own_floats.h"
#include "base/probe.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "tree/node_kinds.h"
#include "tree/tree.h"

#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
// Only so many nodes are visited; deeper nodes count as part of those that
// contain them.
constexpr uint32_t MostNodes = 256;
constexpr uint32_t MostDepth = 24;
constexpr uint32_t PlaceBits = 10;
constexpr uint32_t Places = 1U << PlaceBits;

// A node's time at its last visit.
struct Seen {
  const Node *Of;
  uint64_t Ticks;
};

struct ThreadWork {
  uint64_t Since; // end of the last collective; 0: there was none
  Work Last;
  uint32_t Known; // used part of Nodes
  uint32_t Left;  // nodes that may still be visited
  Seen Nodes[Places];
};
LOOPSCOPE_PER_THREAD(ThreadWork *, Mine);

// The entry of N, perhaps a new one; null if there is no room.
Seen *placeOf(ThreadWork &W, const Node *N) {
  Seen *Place = probe(
      W.Nodes, Places, (N->index * 0x9e3779b9U) >> (32 - PlaceBits),
      [N](const Seen &Each) { return Each.Of == nullptr || Each.Of == N; });
  if (Place->Of == nullptr) {
    if (W.Known == Places / 2)
      return nullptr;
    ++W.Known;
    Place->Of = N;
  }
  return Place;
}

// The time of N up to NOW, open spans included.
uint64_t timeOf(Node *N, uint64_t Now) {
  uint64_t Ticks = N->sum_ticks + N->uncounted_ticks;
  if (isStepDraw(N)) {
    // The draw time of an open step is recorded when the step ends.
    Node *Step = links(N).Parent;
    Node *Batch = links(N).Successor;
    if (Step->open == 0)
      return Ticks;
    return Ticks + (Batch->open != 0 ? Batch->enter_ticks : Now) -
           Step->enter_ticks;
  }
  return N->open == 0 ? Ticks : Ticks + (Now - N->enter_ticks);
}

void addPhase(Work &To, const Node *N, uint64_t Ticks) {
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

// Adds the phases of N and below to W.Last. OWN: the self time of the phase
// that contains N, minus N's time since the last visit. False: there are too
// many.
bool addNodes(ThreadWork &W, Node *N, uint64_t Now, uint32_t Depth,
              int64_t &Own) {
  Seen *Place = W.Left == 0 ? nullptr : placeOf(W, N);
  if (Place == nullptr)
    return false;
  --W.Left;
  uint64_t Ticks = timeOf(N, Now);
  auto Spent = static_cast<int64_t>(Ticks - Place->Ticks);
  Place->Ticks = Ticks;
  if (N->kind == LOOPSCOPE_KIND_COLLECTIVE) {
    Own -= Spent;
    return true;
  }
  bool IsPart =
      N->kind == LOOPSCOPE_KIND_FUNCTION || N->kind == LOOPSCOPE_KIND_OPERATOR;
  int64_t Self = Spent;
  if (!IsPart)
    Own -= Spent;
  bool Fits = true;
  if (Depth != MostDepth)
    findAmong(N, [&](Node *Child) {
      Fits = addNodes(W, Child, Now, Depth + 1, IsPart ? Own : Self);
      return !Fits;
    });
  if (!IsPart && Self > 0)
    addPhase(W.Last, N, static_cast<uint64_t>(Self));
  return Fits;
}

Node *outermostStep(Node *N) {
  Node *Step = nullptr;
  for (; N != nullptr; N = links(N).Parent)
    if (N->kind == LOOPSCOPE_KIND_STEP)
      Step = N;
  return Step;
}

ThreadWork *mine() {
  ThreadWork *&W = *Mine;
  if (W == nullptr)
    W = static_cast<ThreadWork *>(mapMemory(sizeof(ThreadWork)));
  return W;
}
} // namespace

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
  W->Left = MostNodes;
  bool Fits = false;
  withOwnFloats([&] {
    int64_t Unused = 0;
    Fits = addNodes(*W, Step, Now, 0, Unused);
  });
  if (Fits)
    return;
  W->Last.Count = LOOPSCOPE_NONE;
  memset(W->Nodes, 0, sizeof(W->Nodes));
  W->Known = 0;
}

const Work *loopscope::runtime::workBefore() {
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
