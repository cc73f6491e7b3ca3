// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table: lists by handle, under a lock that is held for only a few stores.

#include "requests.h"

#include "library.h"
#include "spin_lock.h"

#include <loopscope/mpi.h>

using namespace loopscope::mpi;

namespace {
constexpr uint32_t MostRequests = 8192;
constexpr uint32_t Lists = 1024; // a power of 2
constexpr uint32_t Nothing = 0;  // indices start at 1

struct Entry {
  Request Of;
  uint32_t Next;
};
struct Table {
  unsigned char Lock;
  uint32_t Count; // requests in the table
  uint32_t Used;  // entries used so far
  uint32_t Free;  // list of free entries
  uint32_t First[Lists];
  Entry Entries[MostRequests];
};
Table Followed;

uint32_t &listOf(Word Handle) {
  uint64_t Hash = Handle * 0x9e3779b97f4a7c15U;
  return Followed.First[Hash >> 54];
}
} // namespace

void loopscope::mpi::addRequest(const Request &New) {
  bool HasRoom = false;
  {
    SpinLock Held(Followed.Lock);
    uint32_t Place = Followed.Free;
    if (Place != Nothing)
      Followed.Free = Followed.Entries[Place - 1].Next;
    else if (Followed.Used < MostRequests)
      Place = ++Followed.Used;
    HasRoom = Place != Nothing;
    if (HasRoom) {
      uint32_t &List = listOf(New.Handle);
      Followed.Entries[Place - 1] = {New, List};
      List = Place;
      __atomic_store_n(&Followed.Count, Followed.Count + 1, __ATOMIC_RELAXED);
    }
  }
  if (!HasRoom)
    __loopscope_mpi_request(UINT32_MAX, 0);
}

bool loopscope::mpi::takeRequest(Word Handle, Request &Into) {
  SpinLock Held(Followed.Lock);
  for (uint32_t *At = &listOf(Handle); *At != Nothing;
       At = &Followed.Entries[*At - 1].Next) {
    uint32_t Place = *At;
    Entry &Each = Followed.Entries[Place - 1];
    if (Each.Of.Handle != Handle)
      continue;
    Into = Each.Of;
    *At = Each.Next;
    Each.Next = Followed.Free;
    Followed.Free = Place;
    __atomic_store_n(&Followed.Count, Followed.Count - 1, __ATOMIC_RELAXED);
    return true;
  }
  return false;
}

Word loopscope::mpi::handleAt(Word Array, uint64_t At) {
  return library().HasPointers ? reinterpret_cast<const Word *>(Array)[At]
                               : reinterpret_cast<const uint32_t *>(Array)[At];
}

bool loopscope::mpi::isNoRequest(Word Handle) {
  return Handle == library().NoRequest;
}

const void *loopscope::mpi::statusAt(Word Array, uint64_t At) {
  return reinterpret_cast<const char *>(Array) + At * library().StatusSize;
}

void Completion::begin(Word Requests, uint64_t Asked, Word *Statuses) {
  if (Asked == 0 || __atomic_load_n(&Followed.Count, __ATOMIC_RELAXED) == 0)
    return;
  bool NeedsStatuses = Statuses != nullptr && isIgnored(*Statuses);
  Kept = FewKept;
  char *Room = FewStatuses;
  if (Asked > Few) {
    Size = Asked * (sizeof(Request) + 64);
    Memory = __loopscope_mpi_memory(Size);
    if (Memory == nullptr)
      return;
    Kept = static_cast<Request *>(Memory);
    Room = reinterpret_cast<char *>(Kept + Asked);
  }
  Count = Asked;
  for (uint64_t I = 0; I < Count; ++I)
    Kept[I].IsFollowed = takeRequest(handleAt(Requests, I), Kept[I]);
  if (NeedsStatuses)
    *Statuses = reinterpret_cast<Word>(Room);
}

void Completion::end() {
  for (uint64_t I = 0; I < Count; ++I)
    if (Kept[I].IsFollowed)
      addRequest(Kept[I]);
  if (Memory != nullptr)
    __loopscope_mpi_free(Memory, Size);
}
