// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of open ranges, and one record per name. One lock guards both: a
// record's numbers must stay consistent, and a range costs the program hundreds
// of nanoseconds in its own NVTX calls anyway.

#include "free_ranges.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/slow_lock.h"
#include "process/attach.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sites.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <loopscope/profile_format.h>

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
using Record = loopscope_range;

constexpr uint32_t RecordsPerChunk = 62; // a page
constexpr uint32_t SlotBits = 16;
constexpr uint32_t MostOpen = 1U << SlotBits;
constexpr uint32_t SlotsPerPage = 1024;
// More than the number of names (span_names.h); a power of two.
constexpr uint32_t TableSize = 4096;

// An open range, or a free slot.
struct Slot {
  uint64_t Id; // 0: free
  uint64_t Start;
  Record *Of;
  Slot *NextFree;
  uint64_t Place; // index over all pages
};

struct Named {
  const SpanName *Name;
  Record *Of; // of this process
};

struct FreeRangesState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Slot *Pages[MostOpen / SlotsPerPage] = {};
  uint32_t PageCount = 0;
  Slot *FirstFree = nullptr;
  uint64_t Started = 0; // ranges so far; part of each range's id
  Named *Table = nullptr;
  Chunk *Last = nullptr;
};
constinit FreeRangesState State;

// Null if out of memory.
Record *makeRecord(const SpanName *Name) {
  SlowLock Slow;
  loopscope_profile_string Stored = {};
  if (!storeString(Name->Site.__name, Stored))
    return nullptr;
  Chunk *C = roomFor(State.Last, LOOPSCOPE_CHUNK_RANGES, 1, RecordsPerChunk,
                     sizeof(Record));
  if (C == nullptr)
    return nullptr;
  Record *New = reinterpret_cast<Record *>(entries(C)) + C->used;
  New->name = Stored;
  New->min_ticks = UINT64_MAX;
  publish(C, 1);
  return New;
}

// The record of NAME; null if out of memory.
Record *recordOf(const SpanName *Name) {
  if (State.Table == nullptr)
    State.Table = static_cast<Named *>(mapMemory(TableSize * sizeof(Named)));
  if (State.Table == nullptr)
    return nullptr;
  uint64_t At = Name->Hash % TableSize;
  while (State.Table[At].Name != nullptr && State.Table[At].Name != Name)
    At = (At + 1) % TableSize;
  Named &Place = State.Table[At];
  Place.Name = Name;
  if (Place.Of == nullptr)
    Place.Of = makeRecord(Name);
  return Place.Of;
}

void addPage() {
  if (State.PageCount == MostOpen / SlotsPerPage)
    return;
  auto *Page = static_cast<Slot *>(mapMemory(SlotsPerPage * sizeof(Slot)));
  if (Page == nullptr)
    return;
  for (uint32_t I = SlotsPerPage; I-- != 0;) {
    Page[I].Place = uint64_t(State.PageCount) * SlotsPerPage + I;
    Page[I].NextFree = State.FirstFree;
    State.FirstFree = &Page[I];
  }
  State.Pages[State.PageCount++] = Page;
}

// Null if there is none.
Slot *takeSlot() {
  if (State.FirstFree == nullptr)
    addPage();
  Slot *Free = State.FirstFree;
  if (Free != nullptr)
    State.FirstFree = Free->NextFree;
  return Free;
}

void freeSlot(Slot &Used) {
  Used.Id = 0;
  Used.NextFree = State.FirstFree;
  State.FirstFree = &Used;
}

Slot *findSlot(uint64_t Id) {
  uint64_t Place = Id % MostOpen;
  if (Id == 0 || Place >= uint64_t(State.PageCount) * SlotsPerPage)
    return nullptr;
  Slot &Found = State.Pages[Place / SlotsPerPage][Place % SlotsPerPage];
  return Found.Id == Id ? &Found : nullptr;
}

// Calls CHANGE(record), marking the change for readers.
template <typename Function> void change(Record &Of, Function Change) {
  uint32_t Sequence = Of.sequence;
  __atomic_store_n(&Of.sequence, Sequence + 1, __ATOMIC_RELAXED);
  orderStores();
  Change(Of);
  __atomic_store_n(&Of.sequence, Sequence + 2, __ATOMIC_RELEASE);
}

uint64_t sinceStart(uint64_t Ticks) { return Ticks - Header->start_ticks; }
} // namespace

uint64_t loopscope::runtime::startFreeRange(const SpanName *Name) {
  SlowPath Path(false);
  if (!Path || attachThread() == nullptr)
    return 0;
  MutexLock Held(State.Mutex);
  Record *Of = recordOf(Name);
  Slot *New = Of == nullptr ? nullptr : takeSlot();
  if (New == nullptr)
    return 0;
  New->Of = Of;
  New->Id = ++State.Started << SlotBits | New->Place;
  New->Start = now();
  change(*Of, [&](Record &R) {
    ++R.open;
    R.open_start_ticks += sinceStart(New->Start);
  });
  return New->Id;
}

bool loopscope::runtime::endFreeRange(uint64_t Id) {
  uint64_t Now = now();
  SlowPath Path(false);
  if (!Path)
    return false;
  MutexLock Held(State.Mutex);
  Slot *Ended = findSlot(Id);
  if (Ended == nullptr)
    return false;
  uint64_t Ticks = elapsed(Ended->Start, Now);
  change(*Ended->Of, [&](Record &R) {
    --R.open;
    R.open_start_ticks -= sinceStart(Ended->Start);
    ++R.count;
    R.sum_ticks += Ticks;
    R.min_ticks = Ticks < R.min_ticks ? Ticks : R.min_ticks;
    R.max_ticks = Ticks > R.max_ticks ? Ticks : R.max_ticks;
  });
  freeSlot(*Ended);
  return true;
}

void loopscope::runtime::resetFreeRanges() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.Last = nullptr;
  if (State.Table != nullptr)
    for (uint32_t I = 0; I < TableSize; ++I)
      State.Table[I].Of = nullptr;
  State.FirstFree = nullptr;
  for (uint32_t P = State.PageCount; P-- != 0;)
    for (uint32_t I = SlotsPerPage; I-- != 0;)
      freeSlot(State.Pages[P][I]);
}
