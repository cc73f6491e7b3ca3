// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file's mappings, and the handler of SIGBUS.

#include "lost_file.h"

#include "base/memory.h"
#include "base/slow_lock.h"
#include "base/system.h"
#include "base/thread_memory.h"
#include "chunks.h"
#include "kernel_action.h"
#include "node_links.h"
#include "system_call.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Page = LOOPSCOPE_PROFILE_PAGE;

// Piece::Type of an array of ThreadLinks.
constexpr uint32_t LinksPiece = LOOPSCOPE_NONE;

// In memory of their own: chunks' links are lost together with the file.
struct PieceBlock {
  PieceBlock *Next;
  uint32_t Count;
  Piece All[102]; // a page
};
static_assert(sizeof(PieceBlock) <= Page);

struct LossState {
  Loss What = Loss::None;
  bool IsWatching = false;
  const char *Path = "";
  uint32_t Saying = 0;      // threads that are about to say what happened
  Loss Unsaid = Loss::None; // there was no standard error
  PieceBlock *First = nullptr;
  PieceBlock *Last = nullptr;
};
constinit LossState State;

// What remains of a lost tree, from its innermost node to its root: hooks that
// were interrupted may go on up to the step and loop around their node.
Node &dead(uint32_t I) { return OutsideNodes.All[1 + I]; }
loopscope_histogram DeadHistogram;

Loss what() {
  Loss Result{};
  __atomic_load(&State.What, &Result, __ATOMIC_ACQUIRE);
  return Result;
}

void set(Loss New) { __atomic_store(&State.What, &New, __ATOMIC_RELEASE); }

// Calls VISIT for each piece until it returns false; returns whether it never
// did.
template <typename Function> bool forPieces(Function Visit) {
  PieceBlock *B = __atomic_load_n(&State.First, __ATOMIC_ACQUIRE);
  for (; B != nullptr; B = __atomic_load_n(&B->Next, __ATOMIC_ACQUIRE)) {
    uint32_t Count = __atomic_load_n(&B->Count, __ATOMIC_ACQUIRE);
    for (uint32_t I = 0; I < Count; ++I)
      if (!Visit(B->All[I]))
        return false;
  }
  return true;
}

// Copies SIZE bytes that may be lost; the kernel returns an error where a load
// would raise SIGBUS. Returns whether it has copied all.
bool copyReadable(char *To, char *From, uint64_t Size) {
  for (uint64_t Done = 0; Done < Size;) {
    iovec Into{To + Done, Size - Done};
    iovec Source{From + Done, Size - Done};
    long Copied =
        syscall(SYS_process_vm_readv, getpid(), &Into, 1L, &Source, 1L, 0L);
    if (Copied <= 0)
      return false;
    Done += static_cast<uint64_t>(Copied);
  }
  return true;
}

// Whether the copy of a chunk has its header, if the chunk had one.
bool keepsHeader(const Piece &Old) {
  return !__atomic_load_n(&Old.HasHeader, __ATOMIC_ACQUIRE) ||
         reinterpret_cast<Chunk *>(Old.Next)->magic == LOOPSCOPE_CHUNK_MAGIC;
}

// Copies what can be read of a piece to anonymous memory. IS_WHOLE becomes
// false if something can't, or is gone. False: out of memory.
bool prepare(Piece &Old, bool &IsWhole) {
  if (Old.IsReplaced)
    return true;
  void *New = mapMemory(Old.Before + Old.Size);
  if (New == nullptr)
    return false;
  Old.Next = static_cast<char *>(New) + Old.Before;
  IsWhole =
      copyReadable(Old.Next, Old.At, Old.Size) && keepsHeader(Old) && IsWhole;
  return true;
}

// Puts the copy in the piece's place, at once for all threads.
bool replace(Piece &Old) {
  if (Old.IsReplaced)
    return true;
  uint64_t Size = Old.Before + Old.Size;
  Old.IsReplaced =
      mremap(Old.Next - Old.Before, Size, Size, MREMAP_MAYMOVE | MREMAP_FIXED,
             Old.At - Old.Before) != MAP_FAILED;
  Old.Next = nullptr;
  return Old.IsReplaced;
}

// Leaves no open span in N, and no room for children.
void endNode(Node &N) {
  N.state = N.open = 0;
  N.depth = MaxDepth;
}

// Whatever a hook that was interrupted follows from here is a dead node, except
// that noChild() ends a ring and is expected nowhere.
void makeDead(Node &N, Node *Parent) {
  endNode(N);
  NodeLinks &L = links(&N);
  L = {};
  L.Parent = Parent;
  L.FirstChild = L.Cursor = &dead(0);
  L.Successor = noChild();
  L.Histogram = &DeadHistogram;
}

// Leaves an empty tree in what will replace a piece, and a chunk without room.
// The nodes' links, which aren't in the file, stay what they are: a hook that
// was interrupted goes on to its end, in memory that nobody reads. Whoever was
// just about to add an entry, and reads again how many there are, writes over
// the first one.
bool clear(Piece &Old) {
  if (Old.Type == HeaderPiece || Old.Next == nullptr)
    return true;
  auto *C = reinterpret_cast<Chunk *>(Old.Next);
  C->type = Old.Type;
  C->size = Old.Size;
  C->used = 0;
  C->capacity = Old.Type == LOOPSCOPE_CHUNK_NODES ? Old.Capacity : 0;
  char *First = entries(C);
  if (Old.Type == LOOPSCOPE_CHUNK_NODES)
    for (uint32_t I = 0; I < Old.Capacity; ++I)
      endNode(reinterpret_cast<Node *>(First)[I]);
  return true;
}

// Leaves the threads of an array of links outside all spans.
bool detach(Piece &Array) {
  if (Array.Type != LinksPiece)
    return true;
  for (uint64_t At = 0; At + LinksApart <= Array.Size; At += LinksApart) {
    auto *L = reinterpret_cast<ThreadLinks *>(Array.At + At);
    if (L->Owner == nullptr)
      continue;
    L->CalibrateAt = UINT64_MAX;
    __atomic_store_n(&L->Current, &dead(DeadDepth - 1), __ATOMIC_RELAXED);
  }
  return true;
}

// Ends recording: from the moment when a piece is replaced, no hook of any
// thread finds anything in it that it could enter or leave.
void endRecording() {
  __loopscope_active = __loopscope_functions_active = 0;
  makeDead(*noChild(), &dead(0));
  for (uint32_t I = 0; I < DeadDepth; ++I)
    makeDead(dead(I), I + 1 < DeadDepth ? &dead(I + 1) : nullptr);
}

// Only the thread that replaces the pieces says so, perhaps on an alternate
// stack without room for the text.
void say(Loss New) {
  if (systemCall(SYS_fcntl, STDERR_FILENO, F_GETFD) < 0) {
    __atomic_store(&State.Unsaid, &New, __ATOMIC_RELEASE);
    return;
  }
  static char Line[1400];
  Text Message(Line, sizeof(Line));
  Message << "loopscope: the profile " << State.Path
          << (New == Loss::Lost
                  ? " was truncated while the program ran: it is lost, and the "
                    "rest of the run isn't recorded\n"
                  : " can't be written any more (a full or removed file "
                    "system?); it is kept in memory, so a crash would lose "
                    "it\n");
  writeQuietly(STDERR_FILENO, Message.c_str(), Message.size());
}

void restoreDefault() {
  struct sigaction Action = {};
  Action.sa_handler = SIG_DFL;
  sigaction(SIGBUS, &Action, nullptr);
}

// Passes on a signal that somebody sent, for it to have its default action.
void passOn(siginfo_t *Info, void *Context) {
  if (ThisThread.Memory->IsRuntimes) {
    // The program's threads may all block it, and wait for it. The kernel lets
    // no thread but the main one pretend another sender here.
    sigaddset(&static_cast<ucontext_t *>(Context)->uc_sigmask, SIGBUS);
    syscall(SYS_kill, getpid(), SIGBUS);
    return;
  }
  constexpr pid_t Init = 1;
  if (getpid() == Init)
    return;
  restoreDefault();
  // Blocked until this handler returns.
  syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGBUS, Info);
}

// Whether the faulting instruction can be repeated.
bool survive(const void *Address) {
  const auto *At = static_cast<const char *>(Address);
  bool IsOurs = !forPieces([At](const Piece &Each) {
    return At < Each.At || At >= Each.At + Each.Size;
  });
  return IsOurs && replacePieces() != Loss::Failed;
}

void onBusError(int /*Number*/, siginfo_t *Info, void *Context) {
  int Saved = errno;
  // Advice about memory errors elsewhere comes like a sent signal.
  if (Info->si_code <= 0 || Info->si_code == BUS_MCEERR_AO)
    passOn(Info, Context);
  else if (Info->si_code != BUS_ADRERR || !survive(Info->si_addr))
    restoreDefault();
  errno = Saved;
}

// libc leaves its own signals out of every mask, hence the kernel's call: the
// handler of samples would fault, too, and a thread that is cancelled would
// never finish.
void blockRestMeanwhile() {
  KernelAction Action = {};
  constexpr long Size = sizeof(Action.Mask);
  if (systemCall(SYS_rt_sigaction, SIGBUS, 0, reinterpret_cast<long>(&Action),
                 Size) != 0)
    return;
  Action.Mask = ~uint64_t(0);
  systemCall(SYS_rt_sigaction, SIGBUS, reinterpret_cast<long>(&Action), 0,
             Size);
}

// While one lives, no signal reaches the calling thread, also none of libc's
// own: a handler that touches what is being replaced, as that of samples does,
// would fault and wait for the thread that it interrupts.
class AllBlocked {
public:
  AllBlocked() { change(~uint64_t(0), &Before); }
  ~AllBlocked() { change(Before, nullptr); }
  AllBlocked(const AllBlocked &) = delete;
  AllBlocked &operator=(const AllBlocked &) = delete;

private:
  static void change(uint64_t To, uint64_t *Old) {
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&To),
               reinterpret_cast<long>(Old), sizeof(To));
  }
  uint64_t Before = 0;
};

// Keeps other threads out of slow paths while pieces are replaced, so that no
// thread or node is half made then. A thread that holds the lock for long, or
// that waits for the calling one, isn't waited for.
class SlowPathsMeanwhile {
public:
  SlowPathsMeanwhile() : Locked(lockSoon()) {}
  ~SlowPathsMeanwhile() {
    if (Locked)
      dropSlowLock();
  }
  SlowPathsMeanwhile(const SlowPathsMeanwhile &) = delete;
  SlowPathsMeanwhile &operator=(const SlowPathsMeanwhile &) = delete;

private:
  bool Locked;
};

bool isOurs(const struct sigaction &Action) {
  return (Action.sa_flags & SA_SIGINFO) != 0 &&
         Action.sa_sigaction == onBusError;
}
} // namespace

void loopscope::runtime::nameFileInWarnings(const char *Path) {
  State.Path = Path;
}

bool loopscope::runtime::addLinks(void *At, uint64_t Size) {
  Piece Links = {static_cast<char *>(At), Size, LinksPiece, 0};
  Links.IsReplaced = true; // it was never in the file
  return addPiece(Links);
}

bool loopscope::runtime::addPiece(const Piece &New) {
  PieceBlock *B = State.Last;
  if (B == nullptr || B->Count == sizeof(B->All) / sizeof(Piece)) {
    B = static_cast<PieceBlock *>(mapMemory(sizeof(PieceBlock)));
    if (B == nullptr)
      return false;
    __atomic_store_n(State.Last == nullptr ? &State.First : &State.Last->Next,
                     B, __ATOMIC_RELEASE);
    State.Last = B;
  }
  B->All[B->Count] = New;
  __atomic_store_n(&B->Count, B->Count + 1, __ATOMIC_RELEASE);
  return true;
}

void loopscope::runtime::expectHeaderInPiece() {
  __atomic_store_n(&State.Last->All[State.Last->Count - 1].HasHeader, true,
                   __ATOMIC_RELEASE);
}

Loss loopscope::runtime::fileLoss() { return what(); }

void loopscope::runtime::sayUnsaidLoss() {
  auto Nothing = Loss::None;
  Loss Before{};
  __atomic_exchange(&State.Unsaid, &Nothing, &Before, __ATOMIC_ACQ_REL);
  if (Before != Loss::None)
    say(Before);
}

void loopscope::runtime::awaitSaidLoss() {
  timespec Millisecond{0, 1000000};
  for (uint32_t I = 0; I < 1000; ++I) {
    if (what() != Loss::Happening &&
        __atomic_load_n(&State.Saying, __ATOMIC_ACQUIRE) == 0)
      return;
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &Millisecond, nullptr);
  }
}

Loss loopscope::runtime::replacePieces() {
  AllBlocked Signals;
  SlowPathsMeanwhile Locked;
  Loss Before = what();
  auto Happening = Loss::Happening;
  while (Before == Loss::Happening ||
         !__atomic_compare_exchange(&State.What, &Before, &Happening, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    sched_yield();
    Before = what();
  }
  // Usually another thread has just done it.
  bool IsWhole = Before != Loss::Lost;
  auto Result = Loss::Failed;
  if (forPieces([](const Piece &Each) { return Each.IsReplaced; })) {
    Result = Before;
  } else if (forPieces([&](Piece &Each) { return prepare(Each, IsWhole); })) {
    if (!IsWhole) {
      if (Before != Loss::Lost)
        endRecording();
      forPieces(clear);
      forPieces(detach);
    }
    if (forPieces(replace))
      Result = IsWhole ? Loss::Kept : Loss::Lost;
  }
  // The others go on before it is said: one of them may read what we print.
  bool IsNew = Result != Before && Result != Loss::Failed;
  if (IsNew)
    __atomic_fetch_add(&State.Saying, 1, __ATOMIC_RELAXED);
  set(Result);
  if (IsNew) {
    say(Result);
    __atomic_fetch_sub(&State.Saying, 1, __ATOMIC_RELEASE);
  }
  return Result;
}

void loopscope::runtime::watchBusErrors() {
  struct sigaction Action = {};
  if (State.IsWatching || sigaction(SIGBUS, nullptr, &Action) != 0 ||
      (Action.sa_flags & SA_SIGINFO) != 0 || Action.sa_handler != SIG_DFL)
    return;
  State.IsWatching = true;
  Action = {};
  Action.sa_sigaction = onBusError;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  // A handler with hooks would fault while SIGBUS is blocked.
  sigfillset(&Action.sa_mask);
  sigaction(SIGBUS, &Action, nullptr);
  blockRestMeanwhile();
}

void loopscope::runtime::setBusErrorMask() {
  if (ThreadMemory *Memory = ownMemory())
    Memory->IsRuntimes = true;
  struct sigaction Action = {};
  bool Admit = sigaction(SIGBUS, nullptr, &Action) == 0 && isOurs(Action);
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, SIGBUS);
  pthread_sigmask(Admit ? SIG_UNBLOCK : SIG_BLOCK, &Set, nullptr);
}

void loopscope::runtime::forgetPieces() {
  set(Loss::None);
  State.Saying = 0;
  State.First = State.Last = nullptr;
}
