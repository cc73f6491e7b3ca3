// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of open ranges, one record per name, and a ring of events. One lock
// guards all: a record's numbers must stay consistent, and a range costs the
// program hundreds of nanoseconds in its own NVTX calls anyway.

#include "free_ranges.h"

#include "attach.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/probe.h"
#include "base/slow_lock.h"
#include "facts.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sites.h"
#include "profile/sums.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_format.h>

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
using Record = loopscope_range;
using Event = loopscope_range_event;

constexpr uint32_t RecordsPerChunk = 50; // a page
constexpr uint32_t SlotsPerPage = 1024;
constexpr uint32_t EventsPerChunk = 2046; // 16 pages
constexpr uint32_t MostEventChunks = 32;

// A range's id, from bit 0 on: its slot, its record, its number. So the name of
// a range that has ended is known, and an id that is no range's.
constexpr uint32_t SlotBits = 16;
constexpr uint32_t RecordBits = 13;
constexpr uint32_t NumberBits = 64 - SlotBits - RecordBits;
constexpr uint32_t MostOpen = 1U << SlotBits;
// More than the names of all sources (span_names.h); a power of two.
constexpr uint32_t MostRecords = 1U << RecordBits;

// An open range, or a free slot.
struct Slot {
  uint64_t Id; // 0: free
  uint64_t Start;
  Record *Of;
  Slot *NextFree;
  uint64_t Place;  // index over all pages
  uint64_t Number; // of its event, from 1; 0: none
};

struct Named {
  const SpanName *Name;
  Record *Of; // of this process
  uint32_t Index;
};

struct Names {
  Named Table[MostRecords]; // by the name's hash
  Record *Records[MostRecords];
};

struct FreeRangesState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Slot *Pages[MostOpen / SlotsPerPage] = {};
  uint32_t PageCount = 0;
  Slot *FirstFree = nullptr;
  uint64_t Started = 0;  // ranges so far; part of each range's id
  uint64_t OfParent = 0; // of those, before the process was forked
  Names *Known = nullptr;
  uint32_t RecordCount = 0;
  Chunk *Last = nullptr;
  Chunk *EventChunks[MostEventChunks] = {};
  uint64_t Events = 0; // so far
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

// The place of NAME, with a record; null if out of memory.
Named *placeOf(const SpanName *Name) {
  if (State.Known == nullptr)
    State.Known = static_cast<Names *>(mapMemory(sizeof(Names)));
  if (State.Known == nullptr)
    return nullptr;
  Named *Place = probe(State.Known->Table, MostRecords, Name->Hash,
                       [Name](const Named &Each) {
                         return Each.Name == nullptr || Each.Name == Name;
                       });
  Place->Name = Name;
  if (Place->Of == nullptr) {
    Place->Of = makeRecord(Name);
    if (Place->Of == nullptr)
      return nullptr;
    Place->Index = State.RecordCount++;
    State.Known->Records[Place->Index] = Place->Of;
  }
  return Place;
}

// The slot of the event NUMBER, if the ring has it; null if out of memory.
Event *eventAt(uint64_t Number) {
  uint64_t At = (Number - 1) % (uint64_t(MostEventChunks) * EventsPerChunk);
  Chunk *&Of = State.EventChunks[At / EventsPerChunk];
  if (Of == nullptr) {
    SlowLock Slow;
    Of = addChunk(LOOPSCOPE_CHUNK_RANGE_EVENTS,
                  static_cast<uint32_t>(At / EventsPerChunk * EventsPerChunk),
                  EventsPerChunk, sizeof(Event), 0);
  }
  return Of == nullptr
             ? nullptr
             : reinterpret_cast<Event *>(entries(Of)) + At % EventsPerChunk;
}

// A new event in place of the oldest. Returns its number, or 0.
uint64_t addEvent(uint32_t Range, uint64_t Begin, uint64_t End) {
  if (Process.Settings.Mode != LOOPSCOPE_MODE_TRACE)
    return 0;
  uint64_t Number = State.Events + 1;
  Event *To = eventAt(Number);
  if (To == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_RANGE_EVENTS_LOST, 1);
    return 0;
  }
  if (To->sequence != 0)
    addToCounter(LOOPSCOPE_COUNT_RANGE_EVENTS_LOST, 1);
  __atomic_store_n(&To->sequence, uint64_t(0), __ATOMIC_RELAXED);
  orderStores();
  To->begin_ticks = Begin;
  To->end_ticks = End;
  To->range = Range;
  __atomic_store_n(&To->sequence, Number, __ATOMIC_RELEASE);
  return State.Events = Number;
}

// The event of the range in ENDED, which ends. If others have replaced it, it
// gets a new one.
void endEvent(const Slot &Ended, uint32_t Range, uint64_t Begin,
              uint64_t Ticks) {
  if (Ended.Number == 0)
    return;
  // 0 stands for an open range.
  uint64_t End = Begin + (Ticks == 0 ? 1 : Ticks);
  Event *To = eventAt(Ended.Number);
  if (To != nullptr && To->sequence == Ended.Number)
    __atomic_store_n(&To->end_ticks, End, __ATOMIC_RELEASE);
  else
    addEvent(Range, Begin, End);
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

uint32_t recordIn(uint64_t Id) { return (Id >> SlotBits) % MostRecords; }

// Whether the range ID has begun in this process, or in one that forked it.
bool hasBegun(uint64_t Id) {
  uint64_t Number = Id >> (SlotBits + RecordBits);
  bool AllUsed = State.Started >> NumberBits != 0;
  return Id % MostOpen < uint64_t(State.PageCount) * SlotsPerPage &&
         (AllUsed || (Number != 0 && Number <= State.Started));
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
  Named *Of = placeOf(Name);
  Slot *New = Of == nullptr ? nullptr : takeSlot();
  if (New == nullptr)
    return 0;
  New->Of = Of->Of;
  New->Id =
      (++State.Started << RecordBits | Of->Index) << SlotBits | New->Place;
  New->Start = now();
  change(*New->Of, [&](Record &R) {
    ++R.open;
    R.open_start_ticks += sinceStart(New->Start);
  });
  New->Number = addEvent(Of->Index, sinceStart(New->Start), 0);
  return New->Id;
}

RangeEnd loopscope::runtime::endFreeRange(uint64_t Id) {
  uint64_t Now = now();
  SlowPath Path(false);
  if (!Path)
    return RangeEnd::NotOurs;
  MutexLock Held(State.Mutex);
  Slot *Ended = findSlot(Id);
  if (Ended == nullptr) {
    if (!hasBegun(Id))
      return RangeEnd::NoRange;
    if (Id >> (SlotBits + RecordBits) <= State.OfParent ||
        recordIn(Id) >= State.RecordCount)
      return RangeEnd::NotOurs;
    change(*State.Known->Records[recordIn(Id)],
           [](Record &R) { ++R.ended_again; });
    return RangeEnd::EndedBefore;
  }
  uint64_t Ticks = elapsed(Ended->Start, Now);
  endEvent(*Ended, recordIn(Id), sinceStart(Ended->Start), Ticks);
  change(*Ended->Of, [&](Record &R) {
    --R.open;
    R.open_start_ticks -= sinceStart(Ended->Start);
    ++R.count;
    R.sum_ticks += Ticks;
    R.min_ticks = Ticks < R.min_ticks ? Ticks : R.min_ticks;
    R.max_ticks = Ticks > R.max_ticks ? Ticks : R.max_ticks;
  });
  freeSlot(*Ended);
  return RangeEnd::Ended;
}

void loopscope::runtime::resetFreeRanges() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.Last = nullptr;
  for (Chunk *&Each : State.EventChunks)
    Each = nullptr;
  State.Events = 0;
  State.OfParent = State.Started;
  State.RecordCount = 0;
  if (State.Known != nullptr)
    for (Named &Each : State.Known->Table)
      Each.Of = nullptr;
  State.FirstFree = nullptr;
  for (uint32_t P = State.PageCount; P-- != 0;)
    for (uint32_t I = SlotsPerPage; I-- != 0;)
      freeSlot(State.Pages[P][I]);
}
