// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by all wrappers: the spans of calls, their bytes, their peers. Calls
// only PMPI_ functions and the runtime.

#include "calls.h"

#include "communicators.h"
#include "library.h"
#include "merge.h"

#include <loopscope/mpi.h>
#include <loopscope/profile_format.h>

#include <initializer_list>

using namespace loopscope::mpi;

extern "C" {
int PMPI_Comm_rank(Word Communicator, int *Rank);
int PMPI_Comm_size(Word Communicator, int *Size);
int PMPI_Type_size(Word Type, int *Bytes);
int PMPI_Get_elements_x(const void *Status, Word Type, int64_t *Count);
int PMPI_Initialized(int *Is);
int PMPI_Finalized(int *Is);
int PMPI_Test_cancelled(const void *Status, int *Flag);
}

namespace {
struct State {
  bool IsRunning; // between MPI_Init and MPI_Finalize
  bool IsOver;    // MPI_Finalize has begun
};
State All;
// The thread's outermost call. A library's own calls are below it on the stack;
// if a new one isn't, the outermost was left by a longjmp() or an exception, of
// an error handler for example.
__thread const Call *Outermost __attribute__((tls_model("initial-exec"))) =
    nullptr;
// The site of the thread's last call if that asked whether something has come,
// and nothing had.
__thread const loopscope_site *Unanswered
    __attribute__((tls_model("initial-exec"))) = nullptr;

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

// The world rank of RANK, a peer as the program gives it.
int peerAt(int Communicator, int Rank) {
  if (Rank < 0) // else it is MPI_PROC_NULL
    return Rank == library().AnySource ? AnyPeer : NoMessage;
  return worldRank(Communicator, Rank);
}

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
  const Communicator &Of = communicatorAt(Ended.Communicator);
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
    : Of(Of), Arguments(Arguments), Site(nullptr), Token(nullptr),
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
    forgetCommunicator(handleAt(Arguments[Of.Created], 0));
  if (Of.What == Is::Forgetting)
    forgetRequest(Arguments[Of.Request]);
  if (isWait(Of.What)) {
    if (IsRunning)
      Ends.begin(Arguments[Of.Request],
                 Of.Number < 0 ? 1 : positive(Arguments[Of.Number]),
                 &Arguments[Of.Status]);
  } else if (Of.Status >= 0 && isIgnored(Arguments[Of.Status])) {
    Arguments[Of.Status] = reinterpret_cast<Word>(Status);
  }
  Site = siteOf(Of, At);
  if (Site != nullptr)
    Token = Site == Unanswered ? __loopscope_mpi_enter_again(Site)
                               : __loopscope_enter(Site);
  if (Token != nullptr && IsRunning)
    recordAwaited();
  // Within the span, so that readers of the running program see who waits.
  if (Of.What == Is::End &&
      !__atomic_exchange_n(&All.IsOver, true, __ATOMIC_ACQ_REL) &&
      __atomic_exchange_n(&All.IsRunning, false, __ATOMIC_ACQ_REL))
    mergeRanks();
}

// Records for which ranks a call waits that is about messages, while it does.
void Call::recordAwaited() {
  bool IsMessage =
      Of.Request < 0 && (Of.To >= 0 || Of.From >= 0 || Of.Awaited >= 0);
  if (!IsMessage && !isWait(Of.What))
    return;
  int Ranks[LOOPSCOPE_MOST_AWAITED];
  uint32_t Count = 0;
  bool IsKnown = true;
  auto Add = [&](int Rank) {
    IsKnown &= Rank != NoPeer;
    bool IsNew = Rank != NoMessage && Count <= LOOPSCOPE_MOST_AWAITED;
    for (uint32_t I = 0; I < Count && I < LOOPSCOPE_MOST_AWAITED; ++I)
      IsNew &= Ranks[I] != Rank;
    if (IsNew && Count < LOOPSCOPE_MOST_AWAITED)
      Ranks[Count] = Rank;
    Count += IsNew ? 1 : 0;
  };
  if (isWait(Of.What)) {
    IsKnown = Ends.forEachPeer(Arguments[Of.Request], Add);
  } else if (At >= 0) {
    for (int8_t Place : {Of.To, Of.From, Of.Awaited})
      if (Place >= 0)
        Add(peerAt(At, number(Arguments[Place])));
  }
  __loopscope_mpi_await(Ranks, IsKnown ? Count : 0);
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
  int8_t Place = Of.From >= 0 ? Of.From : Of.To;
  int Peer = Place < 0 ? NoPeer : peerAt(At, number(Arguments[Place]));
  addRequest({handleAt(Arguments[Of.Request], 0), __loopscope_mpi_now(), Node,
              Of.From >= 0, Peer, true, At, communicatorAt(At).Uses});
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

bool Call::foundNothing(int Result) const {
  return Of.Flag >= 0 && Result == 0 &&
         *reinterpret_cast<const int *>(Arguments[Of.Flag]) == 0;
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
          bytesOf(Of, Arguments, At < 0 ? nullptr : &communicatorAt(At));
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
  Unanswered = nullptr;
  if (Token != nullptr && foundNothing(Result)) {
    Unanswered = Site;
    __loopscope_mpi_asked();
  }
  Outermost = nullptr;
}
