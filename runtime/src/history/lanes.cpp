// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue from the program's threads, and the lanes' chunk.

#include "lanes.h"

#include "base/memory.h"
#include "base/plain_read.h"
#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"

#include <loopscope/named_losses.h>

#include <sys/mman.h>

using namespace loopscope::runtime;
using loopscope::history::Key;

namespace {
// Steps of loops and their draws always find room.
constexpr uint32_t MostParts =
    LOOPSCOPE_HISTORY_LANES - 2 * LOOPSCOPE_HISTORY_LOOPS;

struct LanesState {
  Node *Offered[MostFollowed];
  uint32_t OfferCount; // may be more than there is room for
  // The rest belongs to the background thread.
  uint32_t Taken; // offers: followed, or counted as left out
  uint32_t Count; // of Paths
  Followed *Paths;
  Chunk *Lanes;
  uint32_t Parts; // lanes that aren't of loops
  uint32_t Loops;
  uint32_t LoopOfLane[LOOPSCOPE_HISTORY_LANES];
  uint8_t LowestPair[LOOPSCOPE_HISTORY_LOOPS];
};
LanesState State;

// The tree as history_lanes.h wants it. Links are null where the memory of the
// profile was lost.
struct OwnTree {
  static Node *parent(Node *N) {
    Node *Parent = links(N).Parent;
    return Parent == nullptr ? noChild() : Parent;
  }
  static bool isRoot(Node *N) {
    return N == noChild() || N->kind == LOOPSCOPE_KIND_ROOT;
  }
  static uint32_t kind(Node *N) { return N->kind; }
  static uint32_t site(Node *N) { return N->site; }
  static bool isCut(Node *N) {
    return loopscope::runtime::isCut(
        N->kind, __atomic_load_n(&N->flags, __ATOMIC_RELAXED));
  }
};

loopscope_history_lane *lanes() {
  return reinterpret_cast<loopscope_history_lane *>(entries(State.Lanes));
}

uint32_t laneCount() { return State.Lanes == nullptr ? 0 : State.Lanes->used; }

uint32_t findLane(const Key &Of) {
  for (uint32_t I = 0; I < laneCount(); ++I)
    if (loopscope::history::keyOf(lanes()[I]) == Of)
      return I;
  return LOOPSCOPE_NONE;
}

// Whether a lane may still be made.
bool hasRoom(const Key &Of) {
  if (laneCount() == LOOPSCOPE_HISTORY_LANES)
    return false;
  if (Of.Kind == LOOPSCOPE_KIND_STEP)
    return State.Loops < LOOPSCOPE_HISTORY_LOOPS;
  // Without its loop it would be a part of nothing.
  if (Of.Loop != LOOPSCOPE_NONE &&
      findLane({Of.Loop, LOOPSCOPE_KIND_STEP, Of.Loop, Of.IsNested}) ==
          LOOPSCOPE_NONE)
    return false;
  return Of.isLoops() || State.Parts < MostParts;
}

// The lane of a key, perhaps a new one; NONE if there is no room.
uint32_t laneOf(const Key &Of) {
  uint32_t Known = findLane(Of);
  if (Known != LOOPSCOPE_NONE || !hasRoom(Of))
    return Known;
  if (State.Lanes == nullptr) {
    lookAtFile(); // as addPlaces() does
    if (fileLoss() == Loss::Lost)
      return LOOPSCOPE_NONE;
    SlowLock Lock;
    State.Lanes =
        addChunk(LOOPSCOPE_CHUNK_HISTORY_LANES, 0, LOOPSCOPE_HISTORY_LANES,
                 sizeof(loopscope_history_lane), 0);
    if (State.Lanes == nullptr)
      return LOOPSCOPE_NONE;
  }
  uint32_t New = laneCount();
  lanes()[New] = {Of.Site,
                  Of.Kind,
                  Of.Loop,
                  Of.IsNested ? LOOPSCOPE_HISTORY_NESTED : 0,
                  {}};
  if (Of.Kind == LOOPSCOPE_KIND_STEP) {
    State.LowestPair[State.Loops] = UINT8_MAX;
    State.LoopOfLane[New] = State.Loops++;
  } else if (!Of.isLoops()) {
    ++State.Parts;
  }
  publish(State.Lanes, 1);
  return New;
}

void setStep(Followed &Of) {
  for (Node *N = Of.Of; !OwnTree::isRoot(N); N = OwnTree::parent(N))
    if (N->kind == LOOPSCOPE_KIND_STEP) {
      Of.Step = N;
      Of.Draw = links(N).FirstChild;
      Of.Batch = links(Of.Draw).Successor;
      return;
    }
}

void follow(Node *N) {
  Key Of = loopscope::history::keyOf(OwnTree(), N);
  uint32_t Lane = laneOf(Of);
  if (Lane == LOOPSCOPE_NONE || State.Paths == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT, 1);
    return;
  }
  Followed &New = State.Paths[State.Count];
  New.Of = N;
  New.Lane = Lane;
  New.Root = rootAround(N);
  setStep(New);
  if (Of.Kind == LOOPSCOPE_KIND_STEP)
    New.Buckets =
        static_cast<uint64_t *>(mapMemory(sizeof(loopscope_histogram)));
  ++State.Count;
}

struct NodeTime {
  uint64_t Ended;
  uint64_t Enter;
  bool IsOpen;
};

LOOPSCOPE_READS_PLAINLY NodeTime timesOf(const Node *N) {
  bool IsOpen = plainRead(&N->open) != 0;
  return {plainRead(&N->sum_ticks) + plainRead(&N->uncounted_ticks),
          plainRead(&N->enter_ticks), IsOpen};
}

uint64_t between(uint64_t From, uint64_t To) {
  return To > From ? To - From : 0;
}

// Until when spans of OF's thread ran that are open at NOW: while a pause runs,
// the clocks of all others stand still.
uint64_t runningUntil(const Followed &Of, uint64_t Now) {
  const Node *Pause =
      __atomic_load_n(&links(Of.Root).Root.Pause, __ATOMIC_ACQUIRE);
  if (Pause == nullptr)
    return Now;
  NodeTime Time = timesOf(Pause);
  return Time.IsOpen && Time.Enter < Now ? Time.Enter : Now;
}

LOOPSCOPE_READS_PLAINLY uint32_t sequenceOf(const Node &N) {
  return plainRead(&N.sequence);
}

// The draw of an open step is recorded when the step ends; what explicit draws
// add to it stands in the batch's start.
LOOPSCOPE_READS_PLAINLY uint64_t drawTime(const Followed &Of, uint64_t Now) {
  NodeTime Draw = timesOf(Of.Draw);
  NodeTime Step = timesOf(Of.Step);
  NodeTime Batch = timesOf(Of.Batch);
  uint64_t Ticks = Draw.Ended;
  bool IsRecorded = plainRead(&Of.Draw->count) > plainRead(&Of.Step->count);
  if (!Step.IsOpen || IsRecorded)
    return Ticks;
  Ticks += between(Step.Enter, Batch.IsOpen ? Batch.Enter : Now);
  return Batch.IsOpen && Draw.IsOpen ? Ticks + between(Draw.Enter, Now) : Ticks;
}

uint64_t spanTime(const Followed &Of, uint64_t Now) {
  NodeTime Own = timesOf(Of.Of);
  if (!Own.IsOpen)
    return Own.Ended;
  uint64_t Until = Now;
  if (Of.Step != nullptr && Of.Of != Of.Step) {
    // While an explicit draw runs, the clocks of what it interrupted stand
    // still.
    NodeTime Draw = timesOf(Of.Draw);
    if (Draw.IsOpen && timesOf(Of.Batch).IsOpen && Draw.Enter < Until)
      Until = Draw.Enter;
  }
  return Own.Ended + between(Own.Enter, Until);
}
} // namespace

uint64_t Followed::timeAt(uint64_t Now) const {
  constexpr int MostTries = 4;
  const Node *Outer = Step == nullptr ? Of : Step;
  for (int Try = 0; Try < MostTries; ++Try) {
    uint32_t Own = sequenceOf(*Of);
    uint32_t Around = sequenceOf(*Outer);
    uint64_t Until = runningUntil(*this, Now);
    uint64_t Result = Step != nullptr && Of == Draw ? drawTime(*this, Until)
                                                    : spanTime(*this, Until);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (Own % 2 == 0 && Around % 2 == 0 && Own == sequenceOf(*Of) &&
        Around == sequenceOf(*Outer))
      return Result;
  }
  return Ticks;
}

void loopscope::runtime::offerPath(Node *N) {
  Key Of = loopscope::history::keyOf(OwnTree(), N);
  const Thread *T = ownTree();
  if (!Of.isLane() ||
      (Of.Loop == LOOPSCOPE_NONE && (T == nullptr || T->is_main == 0)))
    return;
  uint32_t Place = __atomic_fetch_add(&State.OfferCount, 1, __ATOMIC_RELAXED);
  if (Place < MostFollowed)
    __atomic_store_n(&State.Offered[Place], N, __ATOMIC_RELEASE);
}

void loopscope::runtime::adoptPaths() {
  uint32_t Offers = __atomic_load_n(&State.OfferCount, __ATOMIC_RELAXED);
  if (State.Taken < Offers && State.Paths == nullptr)
    State.Paths =
        static_cast<Followed *>(reserveMemory(MostFollowed * sizeof(Followed)));
  for (; State.Taken < Offers && State.Taken < MostFollowed; ++State.Taken) {
    Node *N = __atomic_load_n(&State.Offered[State.Taken], __ATOMIC_ACQUIRE);
    if (N == nullptr)
      return; // its thread is about to store it
    follow(N);
  }
  if (State.Taken == Offers)
    return;
  addToCounter(LOOPSCOPE_COUNT_HISTORY_LEFT_OUT, Offers - State.Taken);
  State.Taken = Offers;
  for (uint32_t I = 0; I < laneCount(); ++I)
    lanes()[I].flags |= LOOPSCOPE_HISTORY_PARTIAL;
}

uint32_t loopscope::runtime::followedCount() { return State.Count; }

Followed &loopscope::runtime::followed(uint32_t Index) {
  return State.Paths[Index];
}

uint32_t loopscope::runtime::loopOf(uint32_t Lane) {
  return State.LoopOfLane[Lane];
}

uint8_t &loopscope::runtime::lowestPairOf(uint32_t Loop) {
  return State.LowestPair[Loop];
}

void loopscope::runtime::resetLanes() {
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.Paths[I].Buckets != nullptr)
      munmap(State.Paths[I].Buckets, sizeof(loopscope_histogram));
  if (State.Paths != nullptr)
    munmap(State.Paths, MostFollowed * sizeof(Followed));
  State = {};
}
