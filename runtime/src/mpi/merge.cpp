// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree of messages. Memory that MPI may still write to is never freed, and
// requests that don't end are left to MPI_Finalize.

#include "merge.h"

#include "library.h"

#include <loopscope/mpi.h>

using namespace loopscope::mpi;

extern "C" {
int PMPI_Comm_rank(Word Communicator, int *Rank);
int PMPI_Comm_size(Word Communicator, int *Size);
int PMPI_Comm_idup(Word Communicator, Word *New, Word *Request);
int PMPI_Comm_get_errhandler(Word Communicator, Word *Handler);
int PMPI_Comm_set_errhandler(Word Communicator, Word Handler);
int PMPI_Errhandler_free(Word *Handler);
int PMPI_Isend(const void *From, int Count, Word Type, int To, int Tag,
               Word Communicator, Word *Request);
int PMPI_Irecv(void *To, int Count, Word Type, int From, int Tag,
               Word Communicator, Word *Request);
int PMPI_Test(Word *Request, int *Flag, void *Status);
int PMPI_Cancel(Word *Request);
int PMPI_Request_free(Word *Request);
}

namespace {
constexpr int MostBelow = 8;
constexpr int Seconds = 10;
constexpr int Up = 1;
constexpr int Down = 2;
constexpr uint32_t AllSent = UINT32_MAX; // in place of a rank: nothing follows

// A message towards rank 0.
struct Message {
  uint32_t Rank;
  uint32_t Count; // bytes
  uint64_t Size;
  uint64_t Offset;
  char Bytes[16384 - 24];
};

// A message in transit.
struct Transfer {
  Word Request = 0;
  bool IsGoing = false;
  bool HasFailed = false;

  void started(int Result) {
    IsGoing = Result == 0;
    HasFailed = Result != 0;
  }
  // Whether it has completed.
  bool poll() {
    if (!IsGoing)
      return true;
    alignas(16) char Status[64];
    int Flag = 0;
    if (PMPI_Test(&Request, &Flag, Status) != 0) {
      HasFailed = true;
      IsGoing = false;
    } else if (Flag != 0) {
      IsGoing = false;
    }
    return !IsGoing;
  }
  // Cancels a receive that nobody will match, or releases a message that nobody
  // receives: MPI_Finalize must find nothing of ours.
  void giveUp(bool IsReceive) {
    constexpr int Tries = 1000;
    if (!IsGoing)
      return;
    if (IsReceive && PMPI_Cancel(&Request) == 0)
      for (int Try = 0; Try < Tries; ++Try)
        if (poll())
          return;
    PMPI_Request_free(&Request);
    IsGoing = false;
  }
};

// A child rank: its messages are received into one buffer, which is sent on
// from there.
struct Child {
  int Rank;
  Message *Buffer;
  Transfer Receiving;
  bool IsFull; // the buffer holds a message that hasn't been sent on
  bool IsDone;
};

// What rank 0 tells all.
struct Answer {
  uint64_t BaseSize; // of what copies are packed against
  uint32_t IsWhole;  // every rank's profile is in the file
  uint32_t Chosen;   // how many ranks are to send whole copies, too
  uint32_t Ranks[LOOPSCOPE_MERGE_CHOSEN];
};

class Tree {
public:
  Tree(Word Communicator, int Rank, int Ranks)
      : Communicator(Communicator), Rank(Rank), Ranks(Ranks) {}

  // Returns whether every rank's profile is in rank 0's file.
  bool run();

private:
  bool prepare();
  bool collectAll();
  bool shareBase(loopscope_copy &Base);
  bool collect(loopscope_copy Own);
  bool hear(void *To, uint64_t Bytes);
  bool tell(const void *From, uint64_t Bytes);
  bool passAnswer() {
    return (isRoot() || hear(Told, sizeof(*Told))) && tell(Told, sizeof(*Told));
  }
  bool isChosen() const;
  void receive(Child &From);
  void giveUp();
  bool pollChildren();
  bool sendNext();
  bool sendOwn();
  void send(const Message *From);
  int parent() const { return (Rank - 1) / MostBelow; }
  bool isRoot() const { return Rank == 0; }
  bool wait(unsigned &Idle, bool Progress) {
    Idle = Progress ? 0 : Idle + 1;
    Since = Progress ? 0 : Since;
    return __loopscope_merge_wait(&Since, Seconds, Idle) != 0;
  }

  Word Communicator;
  int Rank;
  int Ranks;
  loopscope_copy Copy = {};
  uint64_t Sent = 0;  // bytes of Copy
  uint64_t Since = 0; // the last progress
  Message *Own = nullptr;
  Answer *Told = nullptr;
  Transfer Sending;
  Child *SendingOf = nullptr; // child whose buffer is being sent; null: Own
  bool IsLastSent = false;
  bool HasFailed = false;
  Child Below[MostBelow] = {};
  int Children = 0;
};

bool Tree::prepare() {
  int First = Rank * MostBelow + 1;
  for (int I = First; I < First + MostBelow && I < Ranks; ++I)
    Below[Children++].Rank = I;
  auto *Memory = static_cast<Message *>(__loopscope_mpi_memory(
      static_cast<uint64_t>(Children + 1) * sizeof(Message)));
  Told = static_cast<Answer *>(__loopscope_mpi_memory(sizeof(Answer)));
  if (Memory == nullptr || Told == nullptr)
    return false;
  Own = Memory;
  for (int I = 0; I < Children; ++I)
    Below[I].Buffer = Memory + 1 + I;
  return true;
}

void Tree::receive(Child &From) {
  From.Receiving.started(PMPI_Irecv(From.Buffer, sizeof(Message),
                                    library().Byte, From.Rank, Up, Communicator,
                                    &From.Receiving.Request));
  HasFailed |= From.Receiving.HasFailed;
}

void Tree::send(const Message *From) {
  Sending.started(PMPI_Isend(
      From,
      static_cast<int>(sizeof(Message) - sizeof(From->Bytes) + From->Count),
      library().Byte, parent(), Up, Communicator, &Sending.Request));
  HasFailed |= Sending.HasFailed;
}

void Tree::giveUp() {
  for (int I = 0; I < Children; ++I)
    Below[I].Receiving.giveUp(true);
  Sending.giveUp(false);
}

// Accepts messages from children. Returns whether there were any.
bool Tree::pollChildren() {
  bool Progress = false;
  for (int I = 0; I < Children; ++I) {
    Child &Each = Below[I];
    if (Each.IsDone || Each.IsFull || !Each.Receiving.poll())
      continue;
    HasFailed |= Each.Receiving.HasFailed;
    Progress = true;
    const Message &M = *Each.Buffer;
    if (M.Rank == AllSent || Each.Receiving.HasFailed) {
      Each.IsDone = true;
    } else if (isRoot()) {
      if (M.Count <= sizeof(M.Bytes))
        __loopscope_merge_place(static_cast<int>(M.Rank), M.Size, M.Offset,
                                M.Bytes, M.Count);
      receive(Each);
    } else {
      Each.IsFull = true;
    }
  }
  return Progress;
}

// Sends, or on rank 0 stores, the next piece of this rank's copy. False: all is
// sent.
bool Tree::sendOwn() {
  if (Sent == Copy.size)
    return false;
  const auto *Next = static_cast<const char *>(Copy.bytes) + Sent;
  uint64_t Left = Copy.size - Sent;
  uint64_t Count = Left < sizeof(Own->Bytes) ? Left : sizeof(Own->Bytes);
  if (isRoot()) {
    __loopscope_merge_place(Rank, Copy.size, Sent, Next, Count);
  } else {
    Own->Rank = static_cast<uint32_t>(Rank);
    Own->Count = static_cast<uint32_t>(Count);
    Own->Size = Copy.size;
    Own->Offset = Sent;
    for (uint64_t I = 0; I < Count; ++I)
      Own->Bytes[I] = Next[I];
    SendingOf = nullptr;
    send(Own);
  }
  Sent += Count;
  return true;
}

// Sends the next message, if the last one has completed. Returns whether it did
// anything.
bool Tree::sendNext() {
  if (!Sending.poll() || IsLastSent)
    return false;
  HasFailed |= Sending.HasFailed;
  if (SendingOf != nullptr) {
    SendingOf->IsFull = false;
    receive(*SendingOf);
    SendingOf = nullptr;
  }
  if (sendOwn())
    return true;
  bool IsDone = true;
  for (int I = 0; I < Children; ++I) {
    Child &Each = Below[I];
    IsDone &= Each.IsDone;
    if (!Each.IsFull)
      continue;
    SendingOf = &Each;
    send(Each.Buffer);
    return true;
  }
  if (!IsDone)
    return false;
  IsLastSent = true;
  if (!isRoot()) {
    Own->Rank = AllSent;
    Own->Count = 0;
    send(Own);
  }
  return true;
}

// Sends OWN and the copies from below up. False: it timed out.
bool Tree::collect(loopscope_copy Own) {
  Copy = Own;
  Sent = 0;
  IsLastSent = false;
  for (int I = 0; I < Children; ++I) {
    Below[I].IsDone = false;
    receive(Below[I]);
  }
  unsigned Idle = 0;
  for (;;) {
    bool Progress = pollChildren();
    Progress |= sendNext();
    if (HasFailed)
      return false;
    if (IsLastSent && Sending.poll())
      return !Sending.HasFailed;
    if (!wait(Idle, Progress))
      return false;
  }
}

// Sends BYTES at FROM, which stay there, to all children.
bool Tree::tell(const void *From, uint64_t Bytes) {
  Transfer Telling[MostBelow];
  for (int I = 0; I < Children; ++I)
    Telling[I].started(PMPI_Isend(From, static_cast<int>(Bytes), library().Byte,
                                  Below[I].Rank, Down, Communicator,
                                  &Telling[I].Request));
  unsigned Idle = 0;
  for (;;) {
    bool Done = true;
    for (int I = 0; I < Children; ++I)
      Done &= Telling[I].poll();
    if (Done)
      return true;
    if (!wait(Idle, false))
      break;
  }
  for (int I = 0; I < Children; ++I)
    Telling[I].giveUp(false);
  return false;
}

// Receives BYTES that the parent tells.
bool Tree::hear(void *To, uint64_t Bytes) {
  Transfer Hearing;
  Hearing.started(PMPI_Irecv(To, static_cast<int>(Bytes), library().Byte,
                             parent(), Down, Communicator, &Hearing.Request));
  unsigned Idle = 0;
  while (!Hearing.poll())
    if (!wait(Idle, false)) {
      Hearing.giveUp(true);
      return false;
    }
  Since = 0;
  return !Hearing.HasFailed;
}

// Brings rank 0's base to all ranks.
bool Tree::shareBase(loopscope_copy &Base) {
  if (isRoot()) {
    Base = __loopscope_merge_base();
    Told->BaseSize = Base.size;
  }
  if (!passAnswer())
    return false;
  if (Told->BaseSize == 0)
    return true;
  if (!isRoot()) {
    void *Memory = __loopscope_mpi_memory(Told->BaseSize);
    Base = {Memory, Told->BaseSize};
    if (Memory == nullptr || !hear(Memory, Base.size))
      return false;
  }
  return tell(Base.bytes, Base.size);
}

bool Tree::isChosen() const {
  for (uint32_t I = 0; I < Told->Chosen && I < LOOPSCOPE_MERGE_CHOSEN; ++I)
    if (Told->Ranks[I] == static_cast<uint32_t>(Rank))
      return true;
  return false;
}

// Brings what rank 0 wants of each rank into its file. False: it timed out.
bool Tree::collectAll() {
  loopscope_copy Base = {};
  if (!shareBase(Base))
    return false;
  if (Base.size == 0)
    return collect(__loopscope_merge_copy());
  if (!collect(__loopscope_merge_packed(Base)))
    return false;
  if (isRoot())
    Told->Chosen = __loopscope_merge_chosen(Told->Ranks);
  return passAnswer() &&
         collect(isChosen() ? __loopscope_merge_copy() : loopscope_copy());
}

bool Tree::run() {
  if (!prepare())
    return false;
  bool IsCollected = collectAll();
  if (!IsCollected)
    giveUp();
  if (isRoot())
    Told->IsWhole = __loopscope_merge_whole() != 0 ? 1 : 0;
  if (!IsCollected || (!isRoot() && !hear(Told, sizeof(*Told))))
    return isRoot() && Told->IsWhole == 1;
  tell(Told, sizeof(*Told));
  return Told->IsWhole == 1;
}

// Our own communicator, once all ranks have arrived; 0 if they don't, or MPI
// fails. IS_ABSENT: whether it waited in vain.
Word ownCommunicator(bool &IsAbsent) {
  // Static, because MPI may write to it after we have given up waiting.
  static Word New = 0;
  static Transfer Making;
  Word Before = 0;
  if (PMPI_Comm_get_errhandler(world(), &Before) != 0)
    return 0;
  PMPI_Comm_set_errhandler(world(), library().ErrorsReturn);
  Making.started(PMPI_Comm_idup(world(), &New, &Making.Request));
  uint64_t Since = 0;
  unsigned Idle = 0;
  while (!Making.poll() && __loopscope_merge_awaits(&Since, ++Idle) != 0)
    ;
  PMPI_Comm_set_errhandler(world(), Before);
  PMPI_Errhandler_free(&Before);
  IsAbsent = Making.IsGoing;
  if (Making.IsGoing || Making.HasFailed ||
      PMPI_Comm_set_errhandler(New, library().ErrorsReturn) != 0)
    return 0;
  return New;
}
} // namespace

void loopscope::mpi::mergeRanks() {
  int Rank = 0;
  int Ranks = 0;
  if (PMPI_Comm_rank(world(), &Rank) != 0 ||
      PMPI_Comm_size(world(), &Ranks) != 0 ||
      __loopscope_merge_begin(Ranks) == 0)
    return;
  bool IsAbsent = false;
  Word Communicator = ownCommunicator(IsAbsent);
  if (Communicator == 0)
    return __loopscope_merge_end(IsAbsent ? LOOPSCOPE_MERGE_ABSENT : 0);
  __loopscope_merge_end(Tree(Communicator, Rank, Ranks).run() ? 1 : 0);
}
