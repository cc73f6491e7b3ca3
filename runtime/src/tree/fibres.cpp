// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of fibres by id. Its lock guards who runs which.

#include "fibres.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/thread_memory.h"
#include "cut.h"
#include "extension.h"
#include "node_kinds.h"
#include "own_tree.h"
#include "pause.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "subscriptions.h"
#include "threads.h"
#include "unwind.h"

#include <loopscope/named_losses.h>

#include <pthread.h>

using namespace loopscope::runtime;

namespace {
// The cuts of fibres, and of threads' own stacks.
constexpr const loopscope_site SwitchedOut = {
    LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(switched out)", "", ""};
constexpr const loopscope_site InFibres = {
    LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(in fibres)", "", ""};

// Each has nodes of its own.
constexpr uint32_t MostFibres = 4096;
constexpr uint32_t BucketCount = 1024;

struct Fibre {
  uint64_t Id;
  Thread *Tree;
  Fibre *Next; // in its bucket, or of the unused ones
  bool IsRunning;
};

struct FibreTable {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Fibre *All = nullptr; // MostFibres of them
  uint32_t Used = 0;    // of these
  Fibre *Unused = nullptr;
  Fibre *Buckets[BucketCount] = {};
};
constinit FibreTable Table;

// What the calling thread runs.
struct RunningFibre {
  Thread *Own; // its own tree, while it runs a fibre
  Fibre *Now;  // null: its own stack
};
LOOPSCOPE_PER_THREAD(RunningFibre, Running);

Fibre **bucketOf(uint64_t Id) {
  return &Table.Buckets[Id * 0x9e3779b97f4a7c15U >> 54];
}

// The place that leads to the fibre ID, or to null. Lock held.
Fibre **placeOf(uint64_t Id) {
  Fibre **Place = bucketOf(Id);
  while (*Place != nullptr && (*Place)->Id != Id)
    Place = &(*Place)->Next;
  return Place;
}

// Null without room. Lock held.
Fibre *makeFibre(uint64_t Id) {
  if (Table.All == nullptr)
    Table.All = static_cast<Fibre *>(mapMemory(MostFibres * sizeof(Fibre)));
  Fibre *New = Table.Unused;
  if (New == nullptr && Table.All != nullptr && Table.Used < MostFibres)
    New = &Table.All[Table.Used++];
  else if (New != nullptr)
    Table.Unused = New->Next;
  if (New == nullptr)
    return nullptr;
  *New = {Id, takeFibreTree(Id), nullptr, false};
  Fibre **Place = bucketOf(Id);
  if (New->Tree == nullptr) {
    New->Next = Table.Unused;
    Table.Unused = New;
    return nullptr;
  }
  New->Next = *Place;
  *Place = New;
  callExtensions(&Extension::ThreadStarted, New->Tree);
  if (Subscriptions.SpansWatched && links(New->Tree).EventCursor == nullptr)
    links(New->Tree).EventCursor = &Subscriptions.NoBlock;
  return New;
}

// T's clocks stand still from now on.
void suspend(Thread *T) {
  if (isCut(links(T).Current))
    return; // a pause, in which they do anyway
  bool IsFibre = isOfFibre(links(T).Current);
  if (Node *Cut = cutNode(T, IsFibre ? &SwitchedOut : &InFibres))
    openCut(T, Cut, now());
}

void resume(Thread *T) {
  Node *N = links(T).Current;
  if (isCut(N) && (siteOf(N) == &SwitchedOut || siteOf(N) == &InFibres))
    endCut(T, N, now());
}

// Makes TREE the calling thread's.
void run(Thread *Tree) {
  forgetFast();
  ThisThread.Memory->Tree = Tree;
  setMainTree(Tree, Running->Own == nullptr ? Tree : Running->Own);
  resume(Tree);
  chooseFast(Tree, isMuted(Tree));
}

// Lock held. TO: null for the thread's own stack.
void switchTo(Thread *T, Fibre *To) {
  Fibre *From = Running->Now;
  if (From == To)
    return;
  suspend(T);
  if (From == nullptr)
    Running->Own = T;
  else
    From->IsRunning = false;
  if (To != nullptr)
    To->IsRunning = true;
  Running->Now = To;
  Thread *Tree = To == nullptr ? Running->Own : To->Tree;
  run(Tree);
  if (To == nullptr)
    Running->Own = nullptr;
}

// The fibre ID for the calling thread; null: its own stack. Lock held.
Fibre *wanted(uint64_t Id) {
  if (Id == 0)
    return nullptr;
  Fibre *Found = *placeOf(Id);
  if (Found == nullptr)
    Found = makeFibre(Id);
  if (Found == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_FIBRES_LOST, 1);
  } else if (Found->IsRunning && Found != Running->Now) {
    addToCounter(LOOPSCOPE_COUNT_FIBRES_TWICE, 1);
    return nullptr;
  }
  return Found;
}
} // namespace

void loopscope::runtime::registerFibreCounters() {
  registerCounter(LOOPSCOPE_COUNT_FIBRES_LOST);
  registerCounter(LOOPSCOPE_COUNT_FIBRES_TWICE);
  registerCounter(LOOPSCOPE_COUNT_FIBRE_ENDS);
}

uint64_t loopscope::runtime::switchFibre(Thread *T, uint64_t Id) {
  MutexLock Held(Table.Mutex);
  uint64_t Before = Running->Now == nullptr ? 0 : Running->Now->Id;
  switchTo(T, wanted(Id));
  return Before;
}

void loopscope::runtime::endFibre(Thread *T, uint64_t Id) {
  MutexLock Held(Table.Mutex);
  if (Running->Now != nullptr && Running->Now->Id == Id)
    switchTo(T, nullptr);
  Fibre **Place = placeOf(Id);
  Fibre *Ended = *Place;
  if (Ended == nullptr)
    return;
  if (Ended->IsRunning) {
    addToCounter(LOOPSCOPE_COUNT_FIBRES_TWICE, 1);
    return;
  }
  resume(Ended->Tree);
  forgetPauses(Ended->Tree);
  popAll(Ended->Tree, LOOPSCOPE_NODE_FIBRE_ENDED, now());
  leaveFibreTree(Ended->Tree);
  *Place = Ended->Next;
  Ended->Next = Table.Unused;
  Table.Unused = Ended;
}

Thread *loopscope::runtime::leaveFibre(Thread *T) {
  if (Running->Now == nullptr)
    return T;
  MutexLock Held(Table.Mutex);
  switchTo(T, nullptr);
  return ownTree();
}

void loopscope::runtime::resetFibres() {
  pthread_mutex_init(&Table.Mutex, nullptr);
  for (Fibre *&Each : Table.Buckets)
    Each = nullptr;
  Table.Used = 0;
  Table.Unused = nullptr;
  if (hasMemory())
    *Running = {};
}
