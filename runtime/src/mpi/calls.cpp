// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by all wrappers: the spans' sites, communicators, and bytes. Calls
// only PMPI_ functions and the runtime.
//
// A communicator's name is the same on all its ranks and unique among
// communicators: a hash of its ranks in MPI_COMM_WORLD, and how many
// communicators of these ranks there were before. The name is the file of the
// span's site. So each function has one site per communicator, and reports
// match the calls of one communicator by their number.

#include "calls.h"

#include "library.h"
#include "merge.h"
#include "spin_lock.h"

#include <loopscope/mpi.h>
#include <loopscope/profile_format.h>

using namespace loopscope::mpi;

extern "C" {
int PMPI_Comm_rank(Word Communicator, int *Rank);
int PMPI_Comm_size(Word Communicator, int *Size);
int PMPI_Comm_test_inter(Word Communicator, int *Is);
int PMPI_Comm_group(Word Communicator, Word *Group);
int PMPI_Group_free(Word *Group);
int PMPI_Group_translate_ranks(Word Group, int Count, const int *Ranks,
                               Word Other, int *OthersRanks);
int PMPI_Type_size(Word Type, int *Bytes);
int PMPI_Get_elements_x(const void *Status, Word Type, int64_t *Count);
int PMPI_Initialized(int *Is);
int PMPI_Finalized(int *Is);
int PMPI_Test_cancelled(const void *Status, int *Flag);
}

namespace {
constexpr int MostCommunicators = 256;
constexpr int MostSites = 2048; // a power of 2
// A program may make communicators in each step. So many of one group have a
// name of their own; the others share one by their size.
constexpr uint32_t MostNamedOfGroup = 32;
constexpr int Places = 1024; // for handles; a power of 2

struct Communicator {
  Word Handle; // 0: the entry is free
  int Ranks;
  int Rank;       // the caller's
  uint64_t Group; // hash of the communicator's ranks
  char Name[48];
  int *World;    // each rank's rank in the world; null: unknown
  uint32_t Uses; // how often this entry has been reused
  bool IsOther;  // it shares its name
};
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
  bool IsRunning; // between MPI_Init and MPI_Finalize
  bool IsOver;    // MPI_Finalize has begun
  Communicator Communicators[MostCommunicators];
  CallSite Sites[MostSites];
  Group Groups[MostCommunicators];
  uint32_t UsedSites;      // part of Sites
  int16_t PlaceOf[Places]; // by hash of a handle, where it was found last
};
State All;
// The thread's outermost call. A library's own calls are below it on the stack;
// if a new one isn't, the outermost was left by a longjmp() or an exception, of
// an error handler for example.
__thread const Call *Outermost __attribute__((tls_model("initial-exec"))) =
    nullptr;

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

// The world rank of a communicator's RANK; NoPeer if there is none or it is
// unknown.
int worldRank(int At, int Rank) {
  const Communicator &Of = All.Communicators[At];
  return Rank < 0 || Rank >= Of.Ranks || Of.World == nullptr ? NoPeer
                                                             : Of.World[Rank];
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

// The index of a valid communicator, perhaps new; -1 if it can't be told from
// others (an intercommunicator, or too many).
int findCommunicator(Word Passed) {
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

// The new communicator of a call whose request hasn't ended, so that MPI must
// not be asked about it: it has the ranks of the one at index OF.
void addDuplicate(Word Handle, int Of) {
  if (Of >= 0 && Handle != library().NoCommunicator && placeOf(Handle) < 0)
    addCommunicator(Handle, All.Communicators[Of].Ranks,
                    All.Communicators[Of].Rank, &All.Communicators[Of]);
}

void forget(Word Passed) {
  SpinLock Held(All.Lock);
  int At = placeOf(handle(Passed));
  if (At < 0)
    return;
  for (CallSite &Each : All.Sites) // their name changes
    if (Each.IsUsed && Each.Communicator == At)
      Each.Communicator = -2;
  __atomic_store_n(&All.Communicators[At].Handle, Word{0}, __ATOMIC_RELEASE);
}

// What CallSite::Communicator has for the communicator at index AT: those that
// share a name have one site. -1: there is none. -2: it is gone.
int keyOf(int At) {
  constexpr int FirstShared = -3;
  return At >= 0 && All.Communicators[At].IsOther
             ? FirstShared - All.Communicators[At].Ranks
             : At;
}

// The site of a function's calls on a communicator, or on none; null if there
// are too many.
const loopscope_site *siteOf(const Function &Of, int At) {
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

// From a status: how much was received, and from which rank of the
// communicator.
int64_t bytesReceived(const void *Status) {
  int64_t Bytes = 0; // an MPI_Count
  bool IsKnown = PMPI_Get_elements_x(Status, library().Byte, &Bytes) == 0;
  return IsKnown && Bytes > 0 ? Bytes : 0;
}

// The size of COUNT elements in bytes; 0 if unknown.
int64_t bytesOf(int64_t Count, Word Type) {
  int Size = 0;
  int64_t Bytes = 0;
  if (Count <= 0 || PMPI_Type_size(Type, &Size) != 0 || Size <= 0 ||
      __builtin_mul_overflow(Count, Size, &Bytes))
    return 0;
  return Bytes;
}

// Whether the call has no data here: its peer is MPI_PROC_NULL, or it is a call
// between two groups, in which this rank is the root or one that neither sends
// nor receives. All these constants are negative, and ranks aren't.
bool hasNoData(const Function &Of, const Word *Arguments) {
  return (Of.To >= 0 && number(Arguments[Of.To]) < 0) ||
         (Of.Root >= 0 && number(Arguments[Of.Root]) < 0);
}

// The count of this rank in an array with one for each rank.
int64_t countAt(Word Counts, int Rank, bool IsLarge) {
  return IsLarge ? reinterpret_cast<const int64_t *>(Counts)[Rank]
                 : reinterpret_cast<const int *>(Counts)[Rank];
}

// Touches only arguments that are significant in this call on this rank: MPI
// ignores the others, so that they may be anything, and ends the program for an
// invalid handle.
int64_t bytesOf(const Function &Of, const Word *Arguments,
                const Communicator *On) {
  if (Of.Count < 0)
    return 0;
  if (Of.What == Is::Receive)
    return bytesReceived(reinterpret_cast<const void *>(Arguments[Of.Status]));
  if (hasNoData(Of, Arguments))
    return 0;
  bool InPlace = Of.Buffer >= 0 && isInPlace(Arguments[Of.Buffer]);
  Word Passed = Arguments[InPlace ? Of.CountInPlace : Of.Count];
  Word Type = Arguments[InPlace ? Of.TypeInPlace : Of.Type];
  int64_t Count = Of.IsLarge ? static_cast<int64_t>(Passed) : number(Passed);
  if (InPlace && Of.CountsInPlace)
    Count = On == nullptr ? 0 : countAt(Passed, On->Rank, Of.IsLarge);
  int64_t Bytes = bytesOf(Count, Type);
  int Ranks = On == nullptr ? 0 : On->Ranks;
  return __builtin_mul_overflow(Bytes, Of.PerRank ? Ranks : 1, &Bytes) ? 0
                                                                       : Bytes;
}

uint64_t positive(Word Count) {
  return number(Count) < 0 ? 0 : static_cast<uint64_t>(number(Count));
}

bool isWait(Is What) { return What >= Is::WaitOne; }

int sourceOf(const void *Status) {
  return static_cast<const int *>(Status)[library().SourcePlace];
}

// A call ended with STATUS.
void recordEnd(Request &Ended, const void *Status) {
  if (!Ended.IsFollowed)
    return;
  Ended.IsFollowed = false;
  __loopscope_mpi_request(Ended.Node, Ended.Began);
  int Cancelled = 0;
  if (!Ended.IsReceive || PMPI_Test_cancelled(Status, &Cancelled) != 0 ||
      Cancelled != 0)
    return;
  int Peer = Ended.Peer;
  const Communicator &Of = All.Communicators[Ended.Communicator];
  if (Peer == AnyPeer)
    Peer = Of.Uses == Ended.Communicators
               ? worldRank(Ended.Communicator, sourceOf(Status))
               : NoPeer;
  __loopscope_mpi_peer(Ended.Node, Peer, LOOPSCOPE_PEER_FROM,
                       bytesReceived(Status));
}

// MPI has started: stores this rank.
void begin() {
  int Rank = 0;
  int Size = 0;
  if (PMPI_Comm_rank(world(), &Rank) != 0 ||
      PMPI_Comm_size(world(), &Size) != 0)
    return;
  __loopscope_mpi_rank(Rank, Size);
  __atomic_store_n(&All.IsRunning, true, __ATOMIC_RELEASE);
}

// Whether MPI functions may be called. MPI may have been started without us: in
// Fortran, or through another object's copy of the wrappers.
bool isRunning() {
  if (__atomic_load_n(&All.IsRunning, __ATOMIC_ACQUIRE))
    return true;
  int HasBegun = 0;
  int HasEnded = 0;
  if (__atomic_load_n(&All.IsOver, __ATOMIC_ACQUIRE) ||
      PMPI_Initialized(&HasBegun) != 0 || HasBegun == 0 ||
      PMPI_Finalized(&HasEnded) != 0 || HasEnded != 0)
    return false;
  begin();
  return __atomic_load_n(&All.IsRunning, __ATOMIC_ACQUIRE);
}

void forgetRequest(Word Pointer) {
  Request Gone;
  takeRequest(handleAt(Pointer, 0), Gone);
}
} // namespace

Call::Call(const Function &Of, Word *Arguments)
    : Of(Of), Arguments(Arguments), Token(nullptr),
      IsOurs(Outermost == nullptr || this >= Outermost), At(-1) {
  if (!IsOurs)
    return;
  Outermost = this;
  if (!__loopscope_mpi_records())
    return;
  bool IsRunning = isRunning();
  if (Of.Communicator >= 0 && IsRunning)
    At = findCommunicator(Arguments[Of.Communicator]);
  if (Of.What == Is::Freeing)
    forget(handleAt(Arguments[Of.Created], 0));
  if (Of.What == Is::Forgetting)
    forgetRequest(Arguments[Of.Request]);
  if (Of.What == Is::End &&
      !__atomic_exchange_n(&All.IsOver, true, __ATOMIC_ACQ_REL)) {
    if (__atomic_exchange_n(&All.IsRunning, false, __ATOMIC_ACQ_REL))
      mergeRanks();
  }
  if (isWait(Of.What)) {
    if (IsRunning)
      Ends.begin(Arguments[Of.Request],
                 Of.Number < 0 ? 1 : positive(Arguments[Of.Number]),
                 &Arguments[Of.Status]);
  } else if (Of.Status >= 0 && isIgnored(Arguments[Of.Status])) {
    Arguments[Of.Status] = reinterpret_cast<Word>(Status);
  }
  if (const loopscope_site *Site = siteOf(Of, At))
    Token = __loopscope_enter(Site);
}

void Call::recordPeers(int64_t Bytes) {
  uint32_t Node = __loopscope_mpi_node();
  if (Of.Root >= 0)
    __loopscope_mpi_peer(Node, worldRank(At, number(Arguments[Of.Root])),
                         LOOPSCOPE_PEER_ROOT, Bytes);
  if (Of.To >= 0)
    __loopscope_mpi_peer(Node, worldRank(At, number(Arguments[Of.To])),
                         LOOPSCOPE_PEER_TO, Bytes);
  if (Of.From >= 0 && Of.Request < 0) {
    const auto *Ended = reinterpret_cast<const void *>(Arguments[Of.Status]);
    __loopscope_mpi_peer(Node, worldRank(At, sourceOf(Ended)),
                         LOOPSCOPE_PEER_FROM, bytesReceived(Ended));
  }
  if (Of.Request < 0)
    return;
  int From = Of.From < 0 ? NoPeer : number(Arguments[Of.From]);
  if (Of.From >= 0)
    From = From == library().AnySource ? AnyPeer : worldRank(At, From);
  addRequest({handleAt(Arguments[Of.Request], 0), __loopscope_mpi_now(), Node,
              Of.From >= 0, From, true, At, All.Communicators[At].Uses});
}

// Records the requests that have ended, from what the library wrote.
void Call::recordEnds() {
  if (Of.Flag >= 0 && *reinterpret_cast<const int *>(Arguments[Of.Flag]) == 0)
    return;
  Word Statuses = Arguments[Of.Status];
  uint64_t Count = Ends.count();
  if (Of.What == Is::WaitAny) {
    int Which = *reinterpret_cast<const int *>(Arguments[Of.Index]);
    if (Which >= 0 && static_cast<uint64_t>(Which) < Count)
      recordEnd(Ends.at(static_cast<uint64_t>(Which)), statusAt(Statuses, 0));
  } else if (Of.What == Is::WaitSome) {
    int Ended = *reinterpret_cast<const int *>(Arguments[Of.Index]);
    const auto *Which = reinterpret_cast<const int *>(Arguments[Of.Indices]);
    for (int I = 0; I < Ended; ++I)
      if (Which[I] >= 0 && static_cast<uint64_t>(Which[I]) < Count)
        recordEnd(Ends.at(static_cast<uint64_t>(Which[I])),
                  statusAt(Statuses, static_cast<uint64_t>(I)));
  } else {
    for (uint64_t I = 0; I < Count; ++I)
      recordEnd(Ends.at(I), statusAt(Statuses, I));
  }
}

// Names a new communicator, while all of its ranks do.
void Call::recordCreated() {
  if (Of.What != Is::Creation && Of.What != Is::Duplication)
    return;
  Word Handle = handleAt(Arguments[Of.Created], 0);
  if (Of.What == Is::Duplication)
    addDuplicate(Handle, At);
  else if (Handle != library().NoCommunicator)
    findCommunicator(Handle);
}

void Call::end(int Result) {
  if (!IsOurs)
    return;
  if (__loopscope_mpi_records() && Result == 0) {
    if (Of.What == Is::Start)
      begin();
    bool IsRunning = __atomic_load_n(&All.IsRunning, __ATOMIC_ACQUIRE);
    if (Token != nullptr && IsRunning) {
      int64_t Bytes =
          bytesOf(Of, Arguments, At < 0 ? nullptr : &All.Communicators[At]);
      if (Bytes != 0)
        __loopscope_mpi_bytes(Token, Bytes);
      if (At >= 0)
        recordPeers(Bytes);
    }
    if (IsRunning && Ends.isKept())
      recordEnds();
    if (IsRunning)
      recordCreated();
  }
  Ends.end();
  if (Token != nullptr)
    __loopscope_leave(Token);
  Outermost = nullptr;
}
