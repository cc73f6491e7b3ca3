// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attaches threads to trees, and reuses the trees of ended threads.

#include "threads.h"

#include "background.h"
#include "dead_spans.h"
#include "deferral.h"
#include "events.h"
#include "fork_notice.h"
#include "lost_file.h"
#include "process.h"
#include "profile_file.h"

#include <loopscope/profile_counters.h>

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t ThreadsPerChunk = 18; // a page
constexpr uint32_t NodesPerReserve = 8;
constexpr uint32_t LinksAtOnce = 32; // a page
constexpr uint32_t FirstNodesPerChunk = 32;
constexpr uint32_t MostNodesPerChunk = 1024;
constexpr uint64_t CalibrationTicks = 1ULL << 30;

// States of loopscope_profile_thread.
constexpr uint32_t InUse = 1;
constexpr uint32_t Free = 2;

struct Pool {
  ThreadLinks *Links; // unused ones
  uint32_t LinksLeft;
  Chunk *Threads;
  Chunk *Nodes;
  uint32_t NodesTaken; // of the chunk
  Thread *FreeThreads;
  Thread *Main; // the main thread's tree, once it has one
};
Pool Trees;

Chunk *grow(Chunk *&Last, loopscope_chunk_type Type, uint32_t Capacity,
            uint32_t EntrySize, uint32_t ExtraSize) {
  uint32_t First = Last == nullptr ? 0 : Last->first_index + Last->capacity;
  Chunk *New = addChunk(Type, First, Capacity, EntrySize, ExtraSize);
  if (New != nullptr)
    Last = New;
  return New;
}

void copyName(Thread *T) {
  char Name[sizeof(T->name)] = "";
  prctl(PR_GET_NAME, Name);
  memcpy(T->name, Name, sizeof(T->name));
}

// Links for a new tree, on a cache line of their own. Lock held.
ThreadLinks *takeLinks() {
  if (Trees.LinksLeft == 0) {
    void *Memory = mapWipedOnFork(LinksAtOnce * LinksApart);
    if (Memory == nullptr || !addLinks(Memory, LinksAtOnce * LinksApart))
      return nullptr;
    Trees.Links = static_cast<ThreadLinks *>(Memory);
    Trees.LinksLeft = LinksAtOnce;
  }
  ThreadLinks *L = Trees.Links;
  Trees.Links =
      reinterpret_cast<ThreadLinks *>(reinterpret_cast<char *>(L) + LinksApart);
  --Trees.LinksLeft;
  return L;
}

// A tree for a new thread: a free one or a new one. Lock held.
Thread *takeTree() {
  if (Thread *T = Trees.FreeThreads; T != nullptr) {
    Trees.FreeThreads = links(T).NextFree;
    T->past_ticks += T->last_ticks - T->start_ticks;
    return T;
  }
  Chunk *C = Trees.Threads;
  uint32_t At = C == nullptr ? 0 : C->used; // once: the chunk may get lost
  if (C == nullptr || At >= C->capacity) {
    C = grow(Trees.Threads, LOOPSCOPE_CHUNK_THREADS, ThreadsPerChunk,
             sizeof(Thread), 0);
    At = 0;
  }
  if (C == nullptr)
    return nullptr;
  ThreadLinks *L = takeLinks();
  if (L == nullptr)
    return nullptr;
  Thread *T = reinterpret_cast<Thread *>(entries(C)) + At;
  reinterpret_cast<ThreadWords *>(T->writer_private)->Links = L;
  L->Owner = T;
  T->index = C->first_index + At;
  return T;
}

// Reserves unused nodes for T. Lock held.
bool takeNodes(Thread *T) {
  Chunk *C = Trees.Nodes;
  if (C == nullptr || C->capacity - Trees.NodesTaken < NodesPerReserve) {
    uint32_t Capacity = FirstNodesPerChunk;
    if (C != nullptr) {
      Capacity = C->capacity * 2;
      if (Capacity > MostNodesPerChunk)
        Capacity = MostNodesPerChunk;
      if (C->first_index + C->capacity + Capacity > MaxNodes)
        return false;
    }
    C = grow(Trees.Nodes, LOOPSCOPE_CHUNK_NODES, Capacity, sizeof(Node),
             sizeof(loopscope_histogram));
    if (C == nullptr)
      return false;
    Trees.NodesTaken = 0;
  }
  ThreadLinks &L = links(T);
  uint32_t First = Trees.NodesTaken;
  auto *Nodes = reinterpret_cast<Node *>(entries(C));
  L.Reserve = Nodes + First;
  L.ReserveHistograms =
      reinterpret_cast<loopscope_histogram *>(Nodes + C->capacity) + First;
  T->reserve_index = C->first_index + First;
  L.ReserveCount = NodesPerReserve;
  Trees.NodesTaken += NodesPerReserve;
  __atomic_store_n(&C->used, Trees.NodesTaken, __ATOMIC_RELEASE);
  return true;
}

// Makes the root of a new tree. Lock held.
bool makeRoot(Thread *T) {
  if (!takeNodes(T))
    return false;
  Node *Root =
      makeNode(T, nullptr, LOOPSCOPE_NONE, LOOPSCOPE_KIND_ROOT, 0, nullptr);
  if (Root == nullptr)
    return false;
  T->root = Root->index;
  links(T).Current = Root;
  ++Trees.Threads->used;
  return true;
}

Node *rootOf(Thread *T) {
  Node *N = links(T).Current;
  while (links(N).Parent != nullptr)
    N = links(N).Parent;
  return N;
}

// The calling thread ends: its open spans end, and the tree is free for the
// next thread. The main thread keeps its tree: its lifetime is the run's.
void endThread() {
  noticeFork();
  Thread *T = ownTree();
  if (T == nullptr)
    return;
  SlowPath Path;
  if (!Path)
    return;
  popTo(T, rootOf(T), now());
  callExtensions(&Extension::ThreadEnded);
  copyName(T);
  ThisThread.Memory->Tree = nullptr;
  forgetFast();
  if (T->is_main != 0) {
    tellBackgroundToStop();
    return;
  }
  SlowLock Lock;
  __atomic_store_n(&T->state, Free, __ATOMIC_RELEASE);
  links(T).NextFree = Trees.FreeThreads;
  Trees.FreeThreads = T;
}
// A tree for the calling thread. Null if out of memory.
Thread *attachToTree() {
  SlowLock Lock;
  Thread *T = takeTree();
  if (T == nullptr || (T->state == 0 && !makeRoot(T))) {
    count(LOOPSCOPE_COUNT_THREADS_LOST);
    return nullptr;
  }
  T->tid = syscall(SYS_gettid);
  T->is_main = T->tid == getpid() ? 1 : 0;
  T->start_ticks = now();
  T->last_ticks = T->start_ticks;
  ++T->users;
  copyName(T);
  links(T).CalibrateAt = T->start_ticks + CalibrationTicks;
  __atomic_store_n(&T->state, InUse, __ATOMIC_RELEASE);
  if (T->is_main != 0)
    __atomic_store_n(&Trees.Main, T, __ATOMIC_RELEASE);
  ++Header->threads_started;
  return T;
}

// A handler of a fault in a slow path may jump out of it. The handler's mask
// has gone with it.
bool wasSlowPathLeft() {
  bool IsMain = syscall(SYS_gettid) == getpid();
  return isFrameLeft(ThisThread.Memory->SlowPathAt, IsMain);
}

void forgetSlowPath() {
  dropSlowLock();
  ThisThread.Memory->OnSlowPath = false;
  ThisThread.Memory->Deferrals = 0;
}
} // namespace

SlowPath::SlowPath(bool IsCounted) {
  noticeFork();
  ThreadMemory *Memory = ownMemory();
  if (Memory != nullptr && Memory->OnSlowPath && wasSlowPathLeft())
    forgetSlowPath();
  Entered = Memory != nullptr && !Memory->OnSlowPath;
  if (!Entered) {
    if (IsCounted)
      count(Memory == nullptr ? LOOPSCOPE_COUNT_THREADS_LOST
                              : LOOPSCOPE_COUNT_REENTRANT);
    return;
  }
  reserveStack();
  beginDeferral();
  Memory->OnSlowPath = true;
  Memory->SlowPathAt = this;
}

SlowPath::~SlowPath() {
  if (!Entered)
    return;
  ThisThread.Memory->OnSlowPath = false;
  endDeferral();
}

void loopscope::runtime::chooseFast(Thread *T, bool Muted) {
  bool Notes = links(T).EventCursor != nullptr;
  ThreadLinks *Either = UseCounter && !Muted ? &links(T) : &NoLinks;
  ThisThread.Fast = Notes ? &NoLinks : Either;
  ThisThread.Memory->FastNoting = Notes ? Either : &NoLinks;
}

void loopscope::runtime::forgetFast() {
  ThisThread.Fast = &NoLinks;
  if (hasMemory())
    ThisThread.Memory->FastNoting = &NoLinks;
}

void loopscope::runtime::startThreads() { startThreadMemory(endThread); }

Thread *loopscope::runtime::attachThread() {
  ThreadMemory &Memory = *ThisThread.Memory;
  if (Memory.Tree != nullptr)
    return Memory.Tree;
  if (!ensureProfile())
    return nullptr;
  if (Thread *T = attachToTree()) {
    callExtensions(&Extension::ThreadStarted, T);
    if (Events.SpansWatched && links(T).EventCursor == nullptr)
      links(T).EventCursor = &Events.NoBlock;
    Memory.Tree = T;
    chooseFast(T, false);
  }
  startBackground();
  return Memory.Tree;
}

// Current changes while we read it, in plain stores that cost the hooks
// nothing; each of its values is a node, and nodes are never freed.
__attribute__((no_sanitize("thread"))) Node *
loopscope::runtime::innermostNode(Thread *T) {
  Node *N = __atomic_load_n(&links(T).Current, __ATOMIC_RELAXED);
  bool Published =
      N != nullptr && __atomic_load_n(&N->state, __ATOMIC_ACQUIRE) == 1;
  return Published ? N : nullptr;
}

uint32_t loopscope::runtime::mainThreadNode() {
  Thread *T = __atomic_load_n(&Trees.Main, __ATOMIC_ACQUIRE);
  if (T == nullptr)
    return LOOPSCOPE_NONE;
  const Node *N = innermostNode(T);
  return N == nullptr ? T->root : N->index;
}

bool loopscope::runtime::refillNodes(Thread *T) {
  SlowLock Lock;
  return takeNodes(T);
}

void loopscope::runtime::forgetLinks() {
  if (Thread *T = ThisThread.Memory->Tree)
    links(T) = {};
}

void loopscope::runtime::resetThreads() {
  Trees = {};
  forgetFast();
  if (!hasMemory())
    return;
  ThreadMemory &Memory = *ThisThread.Memory;
  Memory.Tree = nullptr;
  Memory.OnSlowPath = false; // the deferrals are the caller's
  Memory.StackLow = 0;
}

void loopscope::runtime::calibrateFrom(Thread *T, uint64_t Now) {
  links(T).CalibrateAt = Now + CalibrationTicks;
  SlowPath Path;
  if (!Path)
    return;
  {
    SlowLock Lock(SlowLock::IfFree);
    if (!Lock)
      return;
    calibrate(*Header);
    copyName(T);
  }
  callExtensions(&Extension::LookThrough, T);
}
