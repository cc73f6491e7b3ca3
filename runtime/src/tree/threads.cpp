// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of threads; those of ended threads are used again.

#include "threads.h"

#include "base/clock.h"
#include "base/fork_notice.h"
#include "base/plain_read.h"
#include "base/slow_lock.h"
#include "base/thread_memory.h"
#include "extension.h"
#include "node_kinds.h"
#include "node_pool.h"
#include "own_tree.h"
#include "profile/chunks.h"
#include "profile/counts.h"
#include "profile/lost_file.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "slow_path.h"
#include "tree.h"

#include <loopscope/profile_counters.h>

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t ThreadsPerChunk = 18; // a page
constexpr uint32_t LinksAtOnce = 32;     // a page

// Half a second.
uint64_t calibrationTicks() { return TicksPerSecond / 2; }

// States of loopscope_profile_thread.
constexpr uint32_t InUse = 1;
constexpr uint32_t Free = 2;

struct ThreadPool {
  ThreadLinks *Links; // unused ones
  uint32_t LinksLeft;
  Chunk *Threads;       // the last chunk of them
  uint32_t FirstThread; // its first record's index
  uint32_t Published;   // of its records; its header may become zero
  Thread *FreeThreads;
  Thread *FreeFibres;
  Thread *Main;    // that the main thread runs, once it has one
  Thread *Trainer; // another thread's in which a training loop began
};
ThreadPool Trees;

// Whether the program has named the calling thread.
LOOPSCOPE_PER_THREAD(bool, HasOwnName);

// The system's name of the calling thread, whose tree is T.
void copyName(Thread *T) {
  if (*HasOwnName || T->tid >= LOOPSCOPE_FIRST_FIBRE)
    return;
  char Name[sizeof(T->name)] = "";
  prctl(PR_GET_NAME, Name);
  memcpy(T->name, Name, sizeof(T->name));
}

// T's innermost span. Null outside all spans, and while T is making its node.
Node *innermostSpan(Thread *T) {
  Node *N = innermostNode(T);
  return N == nullptr || links(N).Parent == nullptr ? nullptr : N;
}

// Whoever gets T needn't train. Lock held.
void markFree(Thread *T) {
  Thread *Known = T;
  __atomic_compare_exchange_n(&Trees.Trainer, &Known, nullptr, false,
                              __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  __atomic_store_n(&T->state, Free, __ATOMIC_RELEASE);
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

// Whether the last chunk has room, or a new one is made. Lock held.
bool hasThreads() {
  if (Trees.Threads != nullptr && Trees.Published < ThreadsPerChunk)
    return true;
  uint32_t First = Trees.FirstThread + Trees.Published;
  Chunk *C = addChunk(LOOPSCOPE_CHUNK_THREADS, First, ThreadsPerChunk,
                      sizeof(Thread), 0);
  if (C == nullptr)
    return false;
  Trees.Threads = C;
  Trees.FirstThread = First;
  Trees.Published = 0;
  return true;
}

// A tree for a new thread or fibre: one of FREE or a new one. Lock held.
Thread *takeTree(Thread *&Free) {
  if (Thread *T = Free; T != nullptr) {
    Free = links(T).NextFree;
    T->past_ticks += T->last_ticks - T->start_ticks;
    return T;
  }
  if (!hasThreads())
    return nullptr;
  ThreadLinks *L = takeLinks();
  if (L == nullptr)
    return nullptr;
  uint32_t At = Trees.Published;
  Thread *T = reinterpret_cast<Thread *>(entries(Trees.Threads)) + At;
  ownPart<ThreadWords>(T->writer_private).Links = L;
  L->Owner = T;
  T->index = Trees.FirstThread + At;
  return T;
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
  publish(Trees.Threads, 1);
  ++Trees.Published;
  return true;
}

} // namespace

Thread *loopscope::runtime::takeThread() {
  SlowLock Lock;
  Thread *T = takeTree(Trees.FreeThreads);
  if (T == nullptr || (T->state == 0 && !makeRoot(T))) {
    count(LOOPSCOPE_COUNT_THREADS_LOST);
    return nullptr;
  }
  T->tid = syscall(SYS_gettid);
  T->is_main = T->tid == getpid() ? 1 : 0;
  T->start_ticks = now();
  T->last_ticks = T->start_ticks;
  ++T->users;
  *HasOwnName = false;
  copyName(T);
  links(T).CalibrateAt = T->start_ticks + calibrationTicks();
  __atomic_store_n(&T->state, InUse, __ATOMIC_RELEASE);
  if (T->is_main != 0)
    __atomic_store_n(&Trees.Main, T, __ATOMIC_RELEASE);
  __atomic_store_n(&Header->threads_started, Header->threads_started + 1,
                   __ATOMIC_RELEASE);
  return T;
}

Thread *loopscope::runtime::takeFibreTree(uint64_t Id) {
  constexpr uint64_t MostReadable = 999999; // others are likely addresses
  SlowLock Lock;
  Thread *T = takeTree(Trees.FreeFibres);
  if (T == nullptr || (T->state == 0 && !makeRoot(T)))
    return nullptr;
  T->tid = LOOPSCOPE_FIRST_FIBRE + static_cast<int64_t>(T->index);
  T->start_ticks = now();
  T->last_ticks = T->start_ticks;
  ++T->users;
  TextBuffer<sizeof(T->name)> Name;
  Name << "fibre " << static_cast<int64_t>(Id <= MostReadable ? Id : T->index);
  memset(T->name, 0, sizeof(T->name));
  copyHead(T->name, sizeof(T->name), Name.c_str());
  links(T).CalibrateAt = T->start_ticks + calibrationTicks();
  links(links(T).Current).Root.IsFibre = 1;
  __atomic_store_n(&T->state, InUse, __ATOMIC_RELEASE);
  return T;
}

void loopscope::runtime::leaveFibreTree(Thread *T) {
  SlowLock Lock;
  markFree(T);
  links(T).NextFree = Trees.FreeFibres;
  Trees.FreeFibres = T;
}

bool loopscope::runtime::isOfFibre(Node *N) {
  return links(rootAround(N)).Root.IsFibre != 0;
}

void loopscope::runtime::setMainTree(Thread *Tree, Thread *Own) {
  if (Own->is_main != 0)
    __atomic_store_n(&Trees.Main, Tree, __ATOMIC_RELEASE);
}

void loopscope::runtime::nameThread(Thread *T, const char *Name) {
  *HasOwnName = true;
  char Field[sizeof(T->name)] = "";
  copyHead(Field, sizeof(Field), Name);
  memcpy(T->name, Field, sizeof(Field));
}

void loopscope::runtime::leaveThread(Thread *T) {
  copyName(T);
  ThisThread.Memory->Tree = nullptr;
  forgetFast();
  if (T->is_main != 0)
    return;
  SlowLock Lock;
  markFree(T);
  links(T).NextFree = Trees.FreeThreads;
  Trees.FreeThreads = T;
}

// Current changes while we read it, in plain stores that cost the hooks
// nothing; each of its values is a node, and nodes are never freed.
LOOPSCOPE_READS_PLAINLY Node *loopscope::runtime::innermostNode(Thread *T) {
  Node *N = plainRead(&links(T).Current);
  bool Published =
      N != nullptr && __atomic_load_n(&N->state, __ATOMIC_ACQUIRE) == 1;
  return Published ? N : nullptr;
}

void loopscope::runtime::noteTrainer(Thread *T) {
  if (T->is_main != 0)
    return;
  // The first one stays until it is outside its spans: one thread has it all.
  Thread *Known = __atomic_load_n(&Trees.Trainer, __ATOMIC_ACQUIRE);
  if (Known == nullptr || innermostSpan(Known) == nullptr)
    __atomic_store_n(&Trees.Trainer, T, __ATOMIC_RELEASE);
}

uint32_t loopscope::runtime::standInNode() {
  Thread *Main = __atomic_load_n(&Trees.Main, __ATOMIC_ACQUIRE);
  Thread *Trainer = __atomic_load_n(&Trees.Trainer, __ATOMIC_ACQUIRE);
  Thread *const ByRank[] = {Main, Trainer};
  for (Thread *Each : ByRank)
    if (const Node *N = Each == nullptr ? nullptr : innermostSpan(Each))
      return N->index;
  return Main == nullptr ? LOOPSCOPE_NONE : Main->root;
}

bool loopscope::runtime::mainThreadHasTree() {
  return __atomic_load_n(&Trees.Main, __ATOMIC_ACQUIRE) != nullptr;
}

void loopscope::runtime::forgetLinks() {
  if (Thread *T = ThisThread.Memory->Tree)
    links(T) = {};
}

void loopscope::runtime::resetThreads() {
  Trees = {};
  resetNodePool();
  forgetFast();
  if (!hasMemory())
    return;
  ThreadMemory &Memory = *ThisThread.Memory;
  Memory.Tree = nullptr;
  Memory.OnSlowPath = false; // the deferrals are the caller's
  Memory.StackLow = 0;
}

void loopscope::runtime::calibrateFrom(Thread *T, uint64_t Now) {
  links(T).CalibrateAt = Now + calibrationTicks();
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
