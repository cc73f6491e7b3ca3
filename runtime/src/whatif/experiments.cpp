// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unchanged blocks and blocks with a lengthened phase alternate:
//
//   -  B  -  A  -  C  -    -  C  -  B  -  A  -    ...
//
// In each round every phase has a turn, in random order. The last phase of a
// round isn't the first of the next one; if it is the only phase, there is one
// more block in between. So two experiments of a phase share no block. A block
// has some steps of burn-in, and a random number of measured steps.
//
// The steps are those of one loop on one thread: an outermost loop, preferably
// a training loop, preferably on the main thread.

#include "experiments.h"

#include "phases.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/own_floats.h"
#include "base/slow_lock.h"
#include "process/facts.h"
#include "profile/chunks.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"

#include <loopscope/named_losses.h>
#include <loopscope/whatif_estimate.h>

using namespace loopscope::runtime;
using namespace loopscope;

namespace {
using Block = loopscope_whatif_block;
constexpr uint32_t BurnIn = 6;
constexpr uint32_t LeastSteps = 10;
constexpr uint32_t MostSteps = 18;
static_assert(MostSteps <= LOOPSCOPE_WHATIF_STEPS);
constexpr uint32_t BlocksPerChunk = 15; // a page
// A phase that didn't run in this many blocks gets no more of them.
constexpr uint32_t MostIdle = 3;

struct Tried {
  uint32_t Count;
  uint32_t Idle;
  double Slopes[whatif::MostBlocks];
};

struct ExperimentsState {
  // A thread is in countStep(): the loop's own, or one that has a better loop.
  unsigned char IsBusy;
  // The measured loop, by its site, and its thread; and its merit.
  Thread *Of;
  uint32_t Site;
  uint32_t Merit; // 0: none yet
  Chunk *Last;
  // The current block, and the last two complete ones.
  Block *Now;
  uint32_t Phase; // of the current block; NoPhase: none
  uint32_t BurnLeft;
  uint32_t StepsWanted;
  Block *Before;     // the last unchanged one
  Block *Lengthened; // the one after it, with LengthenedPhase; null: none yet
  uint32_t LengthenedPhase;
  uint64_t LastEnd; // end of the loop's last step; 0: none
  // The order of the current round.
  uint32_t Order[MaxPhases];
  uint32_t OrderCount;
  uint32_t OrderAt;
  uint32_t LastPhase;
  bool OneMore; // another unchanged block
  uint64_t Random;
  Tried Phases[MaxPhases];
};
ExperimentsState State;

uint32_t randomBelow(uint32_t Limit) {
  // xorshift64
  uint64_t &R = State.Random;
  R ^= R << 13;
  R ^= R >> 7;
  R ^= R << 17;
  return static_cast<uint32_t>((R >> 33) % Limit);
}

// Admits one thread at a time to the state; whoever finds another there goes on
// without it, and its step isn't measured.
class Turn {
public:
  Turn() : IsMine(!__atomic_test_and_set(&State.IsBusy, __ATOMIC_ACQUIRE)) {}
  ~Turn() {
    if (IsMine)
      __atomic_clear(&State.IsBusy, __ATOMIC_RELEASE);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  explicit operator bool() const { return IsMine; }

private:
  bool IsMine;
};

// The merit of a loop for the experiments; 0: it is inside another.
uint32_t meritOf(const Thread *T, Node *Loop) {
  for (Node *N = links(Loop).Parent; N != nullptr; N = links(N).Parent)
    if (N->kind == LOOPSCOPE_KIND_STEP)
      return 0;
  return 1 + (Loop->kind == LOOPSCOPE_KIND_TRAIN ? 2 : 0) +
         (T->is_main != 0 ? 1 : 0);
}

void setState(Block *B, loopscope_whatif_state Value) {
  __atomic_store_n(&B->state, uint32_t(Value), __ATOMIC_RELEASE);
}

whatif::Steps stepsIn(const Block *B) { return {B->step_ticks, B->steps}; }

// Ends the experiments: every interval is narrow, or there is no room.
void stop() {
  allowExperiments(false);
  State.Now = nullptr;
}

// Drops earlier experiments: from now on another loop's steps are measured.
void chooseLoop(Thread *T, Node *Loop, uint32_t Merit) {
  lengthen(NoPhase);
  addInjectedTo(nullptr);
  if (State.Now != nullptr)
    setState(State.Now, LOOPSCOPE_WHATIF_DROPPED);
  State.Now = State.Before = State.Lengthened = nullptr;
  for (Tried &Each : State.Phases)
    Each = {};
  State.OrderCount = State.OrderAt = 0;
  State.LastPhase = NoPhase;
  State.Of = T;
  State.Site = Loop->site;
  State.Merit = Merit;
  State.LastEnd = 0;
}

bool isDone() {
  bool Any = false;
  for (uint32_t I = 0; I < countPhases(); ++I) {
    Tried &Each = State.Phases[I];
    if (Each.Idle >= MostIdle && Each.Count == 0)
      continue;
    Any = true;
    if (!whatif::intervalOf(Each.Slopes, Each.Count).isNarrow())
      return false;
  }
  return Any;
}

// Draws the order of a new round. False: nothing is left to try.
bool beginRound() {
  if (State.OrderCount != 0 && isDone())
    return false;
  State.OrderCount = State.OrderAt = 0;
  for (uint32_t I = 0; I < countPhases(); ++I)
    if (State.Phases[I].Idle < MostIdle) {
      if (State.Phases[I].Count == whatif::MostBlocks)
        return false;
      State.Order[State.OrderCount++] = I;
    }
  for (uint32_t I = State.OrderCount; I > 1; --I) {
    uint32_t Other = randomBelow(I);
    uint32_t Swapped = State.Order[I - 1];
    State.Order[I - 1] = State.Order[Other];
    State.Order[Other] = Swapped;
  }
  uint32_t &First = State.Order[0];
  if (State.OrderCount > 1 && First == State.LastPhase) {
    uint32_t &Last = State.Order[State.OrderCount - 1];
    First = Last;
    Last = State.LastPhase;
  }
  return true;
}

// The phase to lengthen after an unchanged block; NoPhase: another unchanged
// block. False: no more experiments.
bool choosePhase(uint32_t &Phase) {
  Phase = NoPhase;
  if (State.OrderAt == State.OrderCount && !beginRound())
    return false;
  if (State.OrderCount == 0)
    return true; // no phase has run yet
  uint32_t Next = State.Order[State.OrderAt];
  State.OneMore = !State.OneMore && Next == State.LastPhase;
  if (State.OneMore)
    return true;
  ++State.OrderAt;
  State.LastPhase = Phase = Next;
  return true;
}

void beginBlock(Node *Loop, uint32_t Phase, uint64_t Now) {
  Chunk *C = nullptr;
  {
    SlowLock Lock;
    C = roomFor(State.Last, LOOPSCOPE_CHUNK_WHATIF, 1, BlocksPerChunk,
                sizeof(Block));
  }
  if (C == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_WHATIF_BLOCKS_LOST, 1);
    stop();
    return;
  }
  Block *B = reinterpret_cast<Block *>(entries(C)) + C->used;
  B->phase = Phase == NoPhase ? LOOPSCOPE_NONE : nodeOfPhase(Phase)->index;
  B->loop = Loop->index;
  B->start_ticks = Now;
  B->burn_in = BurnIn;
  setState(B, LOOPSCOPE_WHATIF_RUNNING);
  publish(C, 1);
  State.Now = B;
  State.Phase = Phase;
  State.BurnLeft = BurnIn;
  State.StepsWanted = LeastSteps + randomBelow(MostSteps - LeastSteps + 1);
  lengthen(Phase);
}

// Adds the experiment that AFTER completes.
void addExperiment(const Block *After) {
  Tried &To = State.Phases[State.LengthenedPhase];
  const Block *B = State.Lengthened;
  whatif::Experiment E =
      whatif::experimentOf(stepsIn(State.Before), stepsIn(B), stepsIn(After),
                           B->injected_ticks, whatif::threadsOf(B->threads));
  if (!E.IsKnown || whatif::isRare(B->lengthened, B->spans, B->steps)) {
    ++To.Idle;
    return;
  }
  if (!whatif::isEven(B->lengthened, B->spans, B->steps))
    return;
  To.Idle = 0;
  if (To.Count < whatif::MostBlocks)
    To.Slopes[To.Count++] = E.Slope;
}

// Completes the current block and begins the next one.
void endBlock(Node *Loop, uint64_t Now) {
  Block *Ended = State.Now;
  addInjectedTo(nullptr);
  setState(Ended, LOOPSCOPE_WHATIF_COMPLETE);
  uint32_t Next = NoPhase;
  if (State.Phase != NoPhase) {
    State.Lengthened = Ended;
    State.LengthenedPhase = State.Phase;
  } else {
    if (State.Lengthened != nullptr)
      addExperiment(Ended);
    State.Before = Ended;
    State.Lengthened = nullptr;
    if (!choosePhase(Next)) {
      stop();
      return;
    }
  }
  beginBlock(Loop, Next, Now);
}

// Whether the step directly follows the previous one.
bool isNext(const Node *Step, uint64_t Injected, uint64_t Now) {
  uint64_t Began = Now - Step->last_ticks - Injected;
  bool Is =
      State.LastEnd != 0 &&
      Began - State.LastEnd <= Step->last_ticks / 8 + TicksPerSecond / 2048;
  State.LastEnd = Now;
  return Is;
}

void addStep(Node *Loop, uint64_t Ticks, uint64_t Now) {
  if (State.BurnLeft != 0) {
    if (--State.BurnLeft == 0)
      addInjectedTo(State.Phase == NoPhase ? nullptr : State.Now);
    return;
  }
  Block *B = State.Now;
  B->step_ticks[B->steps] = Ticks;
  __atomic_store_n(&B->steps, B->steps + 1, __ATOMIC_RELEASE);
  if (B->steps == State.StepsWanted)
    withOwnFloats([=] { endBlock(Loop, Now); });
}
} // namespace

void loopscope::runtime::registerExperiments() {
  if (!WhatifWanted.IsOn)
    return;
  registerPhases();
  registerCounter(LOOPSCOPE_COUNT_WHATIF_BLOCKS_LOST);
  State.LastPhase = NoPhase;
  int32_t Rank = Process.Rank.Index < 0 ? 0 : Process.Rank.Index;
  allowExperiments(Rank == WhatifWanted.Rank);
}

void loopscope::runtime::startExperiments() {
  if (!areExperimentsAllowed())
    return;
  State.Random = now() | 1;
  watchSteps();
}

uint64_t loopscope::runtime::countStep(Node *Step, uint64_t /*Steps*/,
                                       uint64_t Now) {
  Node *Loop = links(Step).Parent;
  bool Counts = links(Step).Step.IsMuted == 0 &&
                (Step->flags & LOOPSCOPE_NODE_WARMUP) == 0;
  if (!Counts || !areExperimentsAllowed())
    return 0;
  SlowPath Path(false);
  if (!Path)
    return 0;
  Thread *T = ownTree(); // null if the tree was lost meanwhile (lost_file.h)
  if (T == nullptr)
    return 0;
  // Other loops' threads ask before they take a turn, which the loop's own
  // thread would then find taken.
  uint32_t Merit = meritOf(T, Loop);
  if (__atomic_load_n(&State.Of, __ATOMIC_RELAXED) != T &&
      Merit <= __atomic_load_n(&State.Merit, __ATOMIC_RELAXED))
    return 0;
  Turn Mine;
  if (!Mine || !areExperimentsAllowed())
    return 0;
  if (State.Of != T || State.Site != Loop->site) {
    if (Merit <= State.Merit)
      return 0;
    chooseLoop(T, Loop, Merit);
  }
  uint64_t Injected = takeInjected();
  bool Follows = isNext(Step, Injected, Now);
  if (State.Now == nullptr)
    beginBlock(Loop, NoPhase, Now);
  else if (Follows)
    addStep(Loop, Step->last_ticks + Injected, Now);
  return now() - Now;
}

void loopscope::runtime::resetExperiments() {
  clearGlobal(&State, sizeof(State));
  State.LastPhase = NoPhase;
  allowExperiments(false);
}
