// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ring of instances. Its chunks are made on demand, and any thread may
// write: a writer owns a slot from the moment that it gets the slot's number.

#include "collectives.h"

#include "extension.h"
#include "work.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/counts.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sites.h"
#include "profile/sums.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"
#include "tree/tree.h"

#include <loopscope/profile_counters.h>

#include <loopscope/named_losses.h>

using namespace loopscope::runtime;

namespace {
using Instance = loopscope_collective;
constexpr uint32_t PerChunk = 2047; // 256 KiB with the chunk's header
constexpr uint32_t MostChunks = 16;
constexpr uint64_t Slots = uint64_t(PerChunk) * MostChunks;
constexpr uint32_t MostSites = 1U << 16;

struct CollectivesState {
  SumId Bytes;
  uint64_t Next; // next slot
  Chunk *Chunks[MostChunks];
  uint64_t *Numbers; // instances by site; null: none yet
};
CollectivesState State;

// What the open span of N, a COLLECTIVE, moves.
uint64_t &bytesOf(Node *N) { return links(N).Phase.Extra; }

// Sets INTO to what MAKE makes, unless another thread has set it; null if out
// of memory.
template <typename Type, typename Function>
Type *getOrMake(Type *&Into, Function Make) {
  Type *Found = __atomic_load_n(&Into, __ATOMIC_ACQUIRE);
  if (Found != nullptr)
    return Found;
  SlowPath Path(false);
  if (!Path)
    return nullptr; // a collective in a signal handler
  SlowLock Lock;
  if (Into == nullptr)
    __atomic_store_n(&Into, Make(), __ATOMIC_RELEASE);
  return Into;
}

// The slot with this number; null if out of memory.
Instance *slotAt(uint64_t Number) {
  uint64_t Place = Number % Slots;
  Chunk *C = getOrMake(State.Chunks[Place / PerChunk], [] {
    Chunk *New =
        addChunk(LOOPSCOPE_CHUNK_COLLECTIVES, 0, PerChunk, sizeof(Instance), 0);
    if (New != nullptr)
      publish(New, PerChunk); // each slot says whether it is used
    return New;
  });
  return C == nullptr
             ? nullptr
             : reinterpret_cast<Instance *>(entries(C)) + Place % PerChunk;
}

// Holds the number of the next instance of SITE; null if out of memory.
uint64_t *nextNumber(uint32_t Site) {
  uint64_t *Numbers = getOrMake(State.Numbers, [] {
    return static_cast<uint64_t *>(reserveMemory(MostSites * sizeof(uint64_t)));
  });
  return Numbers == nullptr || Site >= MostSites ? nullptr : Numbers + Site;
}

// A slot for a new instance, which readers ignore until it has its SEQUENCE.
// Null if out of memory, which is counted.
Instance *takeSlot(uint64_t &Sequence) {
  uint64_t Slot = __atomic_fetch_add(&State.Next, 1, __ATOMIC_RELAXED);
  Instance *To = slotAt(Slot);
  if (To == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_COMM_LOST, 1);
    return nullptr;
  }
  if (Slot >= Slots)
    addToCounter(LOOPSCOPE_COUNT_COMM_OVERWRITTEN, 1);
  Sequence = Slot + 1;
  __atomic_store_n(&To->sequence, 0, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return To;
}

void write(Instance *To, uint64_t Sequence, const Node *N, uint64_t Number,
           uint64_t Bytes) {
  const HostWork *Before = isInCollective(N) ? nullptr : workBefore();
  To->operations = To->ranks = To->rank = 0;
  To->number = Number;
  To->enter_ticks = N->enter_ticks;
  To->ticks = N->last_ticks;
  To->bytes = Bytes;
  To->node = N->index;
  To->step = To->work_ticks = 0;
  To->phase_count = LOOPSCOPE_NONE;
  if (Before != nullptr) {
    To->step = Before->Step;
    To->work_ticks = Before->Ticks;
    To->phase_count = Before->Count;
    for (uint32_t I = 0; I < LOOPSCOPE_COLLECTIVE_PHASES; ++I) {
      To->phase_node[I] = Before->Phases[I].Node;
      To->phase_ticks[I] = Before->Phases[I].Ticks;
    }
  }
  __atomic_store_n(&To->sequence, Sequence, __ATOMIC_RELEASE);
}
} // namespace

void loopscope::runtime::addBytes(const Node *N, uint64_t Bytes) {
  if (Bytes == 0 || addToKnownNode(State.Bytes, N->index, Bytes))
    return;
  if (SlowPath Path(false); Path)
    addToNode(State.Bytes, N->index, Bytes);
}

void loopscope::runtime::registerCollectives() {
  registerCounter(LOOPSCOPE_COUNT_COMM_OVERWRITTEN);
  registerCounter(LOOPSCOPE_COUNT_COMM_LOST);
  State.Bytes = registerSum(LOOPSCOPE_SUM_COMM_BYTES, LOOPSCOPE_SUM_BYTES);
}

uint64_t loopscope::runtime::chooseCollective(Node *N) {
  if (N->kind == LOOPSCOPE_KIND_COLLECTIVE)
    markSpans(CommExtension, N, true);
  return 0;
}

void loopscope::runtime::setBytes(Node *N, int64_t Bytes) {
  if (N->kind != LOOPSCOPE_KIND_COLLECTIVE)
    return;
  if (Bytes < 0)
    count(LOOPSCOPE_COUNT_BAD_SAMPLES);
  bytesOf(N) = Bytes < 0 ? 0 : static_cast<uint64_t>(Bytes);
}

void loopscope::runtime::skipCollective(const loopscope_site *Site) {
  loseWork();
  uint32_t Index = siteIndex(Site);
  if (uint64_t *Number = Index == LOOPSCOPE_NONE ? nullptr : nextNumber(Index))
    __atomic_fetch_add(Number, 1, __ATOMIC_RELAXED);
}

uint64_t loopscope::runtime::beginCollective(Node *N, uint64_t Now) {
  bytesOf(N) = 0;
  if (isInCollective(N))
    return 0;
  lookAtWork(N, Now);
  return elapsed(Now, now());
}

uint64_t loopscope::runtime::endCollective(Node *N, uint64_t Now) {
  uint64_t Bytes = bytesOf(N);
  addBytes(N, Bytes);
  uint64_t *Number = nextNumber(N->site);
  uint64_t Sequence = 0;
  if (Number == nullptr)
    addToCounter(LOOPSCOPE_COUNT_COMM_LOST, 1);
  else if (Instance *To = takeSlot(Sequence))
    write(To, Sequence, N, __atomic_fetch_add(Number, 1, __ATOMIC_RELAXED),
          Bytes);
  uint64_t Taken = elapsed(Now, now());
  if (!isInCollective(N))
    beginWork(Now + Taken);
  return Taken;
}

void loopscope::runtime::recordOnDevice(const DeviceOperation &All,
                                        uint32_t Count, uint64_t Start,
                                        uint64_t End) {
  uint64_t Sequence = 0;
  Instance *To = takeSlot(Sequence);
  if (To == nullptr)
    return;
  *To = {};
  To->number = All.Number;
  To->enter_ticks = Start;
  To->ticks = End - Start;
  To->bytes = All.Bytes;
  To->node = All.Node;
  To->step = All.Step;
  To->phase_count = LOOPSCOPE_NONE;
  To->operations = Count;
  To->ranks = All.Ranks;
  To->rank = All.Rank;
  __atomic_store_n(&To->sequence, Sequence, __ATOMIC_RELEASE);
}

void loopscope::runtime::resetCollectives() {
  forgetWork();
  State.Next = 0;
  for (Chunk *&Each : State.Chunks)
    Each = nullptr;
  State.Numbers = nullptr;
}
