// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of communicators and of call sites.

#include "communicators.h"

#include "calls.h"
#include "library.h"
#include "spin_lock.h"

#include <loopscope/mpi.h>

using namespace loopscope::mpi;

extern "C" {
int PMPI_Comm_rank(Word Communicator, int *Rank);
int PMPI_Comm_size(Word Communicator, int *Size);
int PMPI_Comm_test_inter(Word Communicator, int *Is);
int PMPI_Comm_group(Word Communicator, Word *Group);
int PMPI_Group_free(Word *Group);
int PMPI_Group_translate_ranks(Word Group, int Count, const int *Ranks,
                               Word Other, int *OthersRanks);
}

namespace {
constexpr int MostCommunicators = 256;
constexpr int MostSites = 2048; // a power of 2
// A program may make communicators in each step. So many of one group have a
// name of their own; the others share one by their size.
constexpr uint32_t MostNamedOfGroup = 32;
constexpr int Places = 1024; // for handles; a power of 2

// One per function and communicator.
struct CallSite {
  const Function *Of;
  int Communicator; // index of the communicator; see keyOf
  loopscope_site Site;
  char Name[48]; // the communicator's name
  bool IsUsed;
};
// Groups seen so far, and the number of communicators of each.
struct Group {
  uint64_t Hash;
  uint32_t Count;
};
struct State {
  unsigned char Lock;
  Communicator Communicators[MostCommunicators];
  CallSite Sites[MostSites];
  Group Groups[MostCommunicators];
  uint32_t UsedSites;      // part of Sites
  int16_t PlaceOf[Places]; // by hash of a handle, where it was found last
};
State All;

uint64_t mixed(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15U;
  return Hash ^ Hash >> 29;
}

// A hash of the communicator's ranks in the world, which are also stored in
// WORLD unless that is null. 0 if MPI doesn't report them.
uint64_t hashOfRanks(Word Handle, int Ranks, int *World) {
  Word Own = 0;
  Word Of = 0;
  if (PMPI_Comm_group(Handle, &Own) != 0)
    return 0;
  if (PMPI_Comm_group(world(), &Of) != 0) {
    PMPI_Group_free(&Own);
    return 0;
  }
  constexpr int AtOnce = 64;
  uint64_t Hash = static_cast<uint64_t>(Ranks);
  for (int First = 0; First < Ranks; First += AtOnce) {
    int Here[AtOnce];
    int There[AtOnce];
    int Count = Ranks - First < AtOnce ? Ranks - First : AtOnce;
    for (int I = 0; I < Count; ++I)
      Here[I] = First + I;
    if (PMPI_Group_translate_ranks(Own, Count, Here, Of, There) != 0)
      break;
    for (int I = 0; I < Count; ++I) {
      Hash = mixed(Hash, static_cast<uint64_t>(There[I]));
      if (World != nullptr)
        World[First + I] = There[I];
    }
  }
  PMPI_Group_free(&Own);
  PMPI_Group_free(&Of);
  return Hash == 0 ? 1 : Hash;
}

void append(char *&To, const char *Text) {
  while (*Text != 0)
    *To++ = *Text++;
}

void appendNumber(char *&To, uint64_t Number, unsigned Base) {
  char Digits[24];
  int Count = 0;
  do {
    Digits[Count++] = "0123456789abcdef"[Number % Base];
    Number /= Base;
  } while (Number != 0);
  while (Count != 0)
    *To++ = Digits[--Count];
}

// The number of communicators of this group so far; then counts one more. Lock
// held.
uint32_t countGroup(uint64_t Hash) {
  for (Group &Each : All.Groups)
    if (Each.Hash == Hash || Each.Hash == 0) {
      Each.Hash = Hash;
      return Each.Count++;
    }
  return UINT32_MAX; // too many: their numbers can't tell them apart
}

// BEFORE: the communicators of its group that were made before. Lock held.
void name(Communicator &Of, uint32_t Before) {
  char *At = Of.Name;
  Of.IsOther = Of.Handle != world() &&
               (Before >= MostNamedOfGroup || All.UsedSites > MostSites / 2);
  if (Of.Handle == world()) {
    append(At, "MPI_COMM_WORLD");
  } else if (Of.IsOther) {
    append(At, "other communicators of ");
    appendNumber(At, static_cast<uint64_t>(Of.Ranks), 10);
  } else {
    append(At, "communicator ");
    appendNumber(At, mixed(Of.Group, Before) >> 32, 16);
    append(At, " of ");
    appendNumber(At, static_cast<uint64_t>(Of.Ranks), 10);
  }
  *At = 0;
}

int placeOf(Word Handle) {
  // Nearly all calls are on communicators that had some before.
  int16_t &Last = All.PlaceOf[mixed(1, Handle) >> 54];
  int Found = __atomic_load_n(&Last, __ATOMIC_RELAXED);
  if (__atomic_load_n(&All.Communicators[Found].Handle, __ATOMIC_ACQUIRE) ==
      Handle)
    return Found;
  for (int I = 0; I < MostCommunicators; ++I)
    if (__atomic_load_n(&All.Communicators[I].Handle, __ATOMIC_ACQUIRE) ==
        Handle) {
      __atomic_store_n(&Last, static_cast<int16_t>(I), __ATOMIC_RELAXED);
      return I;
    }
  return -1;
}

void freeRanks(int *World, int Ranks) {
  if (World != nullptr)
    __loopscope_mpi_free(World, static_cast<uint64_t>(Ranks) * sizeof(int));
}

// Makes the entry of a communicator, with the ranks of LIKE unless that is
// null. Returns its index, or -1 if there is no room or MPI doesn't report its
// ranks.
int addCommunicator(Word Handle, int Ranks, int Rank,
                    const Communicator *Like) {
  auto *World = static_cast<int *>(
      __loopscope_mpi_memory(static_cast<uint64_t>(Ranks) * sizeof(int)));
  uint64_t Hash = 0;
  if (Like == nullptr) {
    Hash = hashOfRanks(Handle, Ranks, World);
  } else {
    Hash = Like->Group;
    for (int I = 0; World != nullptr && I < Ranks; ++I)
      World[I] = Like->World == nullptr ? NoPeer : Like->World[I];
  }
  SpinLock Held(All.Lock);
  int Known = placeOf(Handle);
  int Free = Known >= 0 ? -1 : placeOf(0);
  if (Free < 0 || Hash == 0) {
    freeRanks(World, Ranks);
    return Known;
  }
  Communicator &To = All.Communicators[Free];
  freeRanks(To.World, To.Ranks);
  To.World = World;
  ++To.Uses;
  To.Ranks = Ranks;
  To.Rank = Rank;
  To.Group = Hash;
  Communicator Named = To;
  Named.Handle = Handle;
  name(Named, countGroup(Hash));
  To.IsOther = Named.IsOther;
  for (unsigned I = 0; I < sizeof(To.Name); ++I)
    To.Name[I] = Named.Name[I];
  __atomic_store_n(&To.Handle, Handle, __ATOMIC_RELEASE);
  return Free;
}

// What CallSite::Communicator has for the communicator at index AT: those that
// share a name have one site. -1: there is none. -2: it is gone.
int keyOf(int At) {
  constexpr int FirstShared = -3;
  return At >= 0 && All.Communicators[At].IsOther
             ? FirstShared - All.Communicators[At].Ranks
             : At;
}
} // namespace

const Communicator &loopscope::mpi::communicatorAt(int At) {
  return All.Communicators[At];
}

int loopscope::mpi::findCommunicator(Word Passed) {
  Word Handle = handle(Passed);
  if (int Known = placeOf(Handle); Known >= 0)
    return Known;
  int IsBetween = 0;
  int Ranks = 0;
  int Rank = 0;
  if (PMPI_Comm_test_inter(Handle, &IsBetween) != 0 || IsBetween != 0 ||
      PMPI_Comm_size(Handle, &Ranks) != 0 || PMPI_Comm_rank(Handle, &Rank) != 0)
    return -1;
  return addCommunicator(Handle, Ranks, Rank, nullptr);
}

void loopscope::mpi::addDuplicate(Word Handle, int Of) {
  if (Of >= 0 && Handle != library().NoCommunicator && placeOf(Handle) < 0)
    addCommunicator(Handle, All.Communicators[Of].Ranks,
                    All.Communicators[Of].Rank, &All.Communicators[Of]);
}

void loopscope::mpi::forgetCommunicator(Word Passed) {
  SpinLock Held(All.Lock);
  int At = placeOf(handle(Passed));
  if (At < 0)
    return;
  for (CallSite &Each : All.Sites) // their name changes
    if (Each.IsUsed && Each.Communicator == At)
      Each.Communicator = -2;
  __atomic_store_n(&All.Communicators[At].Handle, Word{0}, __ATOMIC_RELEASE);
}

int loopscope::mpi::worldRank(int At, int Rank) {
  const Communicator &Of = All.Communicators[At];
  return Rank < 0 || Rank >= Of.Ranks || Of.World == nullptr ? NoPeer
                                                             : Of.World[Rank];
}

const loopscope_site *loopscope::mpi::siteOf(const Function &Of, int At) {
  int Key = keyOf(At);
  uint64_t Hash =
      mixed(reinterpret_cast<uintptr_t>(&Of), static_cast<uint64_t>(Key) + 1);
  for (int Try = 0; Try < MostSites; ++Try) {
    CallSite &Each = All.Sites[(Hash + static_cast<uint64_t>(Try)) % MostSites];
    if (!__atomic_load_n(&Each.IsUsed, __ATOMIC_ACQUIRE)) {
      SpinLock Held(All.Lock);
      if (!Each.IsUsed) {
        Each.Of = &Of;
        Each.Communicator = Key;
        ++All.UsedSites;
        if (At >= 0)
          for (unsigned I = 0; I < sizeof(Each.Name); ++I)
            Each.Name[I] = All.Communicators[At].Name[I];
        // Calls of several communicators have no common order.
        bool IsCompared = Of.What == Is::AllToAll && Key >= 0;
        uint16_t Kind = IsCompared             ? __LOOPSCOPE_KIND_COLLECTIVE
                        : Of.What == Is::Alone ? __LOOPSCOPE_KIND_PHASE
                                               : __LOOPSCOPE_KIND_WAIT;
        Each.Site = {__LOOPSCOPE_SITE_ABI, Kind, 0, Of.Name, Each.Name, ""};
        __atomic_store_n(&Each.IsUsed, true, __ATOMIC_RELEASE);
      }
    }
    if (Each.Of == &Of && Each.Communicator == Key)
      return &Each.Site;
  }
  return nullptr;
}
