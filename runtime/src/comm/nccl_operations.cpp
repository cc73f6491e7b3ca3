// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators, the sites of their operations, and bytes.

#include "device_launches.h"
#include "nccl.h"
#include "on_device.h"
#include "work.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/system.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "tree/costs.h"
#include "tree/extension.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <loopscope/loopscope.h>
#include <loopscope/named_losses.h>

#include <pthread.h>
#include <string.h>

using namespace loopscope::runtime;
using nccl::Communicator;

namespace {
constexpr uint32_t MostCommunicators = 256;
constexpr uint32_t MostFunctions = 24; // per communicator
constexpr size_t LongestFunction = 32; // "ncclReduceScatter"
constexpr size_t LongestName = 96;

struct FunctionSite {
  loopscope_site Site;
  char Name[LongestFunction];
};
} // namespace

struct nccl::Communicator {
  uint64_t Hash;
  int Ranks;
  char Name[LongestName];
  uint32_t Count; // number of functions
  FunctionSite Functions[MostFunctions];
};

namespace {
struct OperationsState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  uint32_t Count = 0;
  Communicator *Communicators[MostCommunicators] = {};
  SumId Bytes = NotRegistered;
  SumId Cost = NotRegistered;
};
constinit OperationsState State;

// The launch whose operations are being reported on this thread.
struct OpenKernel {
  uint32_t Launch; // 0: unknown
  bool IsCharged;  // it is charged to its first operation
};
LOOPSCOPE_PER_THREAD(OpenKernel, Kernel);

struct Datatype {
  const char *Name;
  uint32_t Bytes;
};
constexpr Datatype Datatypes[] = {
    {"ncclInt8", 1},     {"ncclUint8", 1},      {"ncclInt32", 4},
    {"ncclUint32", 4},   {"ncclInt64", 8},      {"ncclUint64", 8},
    {"ncclFloat16", 2},  {"ncclFloat32", 4},    {"ncclFloat64", 8},
    {"ncclBfloat16", 2}, {"ncclFloat8e4m3", 1}, {"ncclFloat8e5m2", 1}};

// False if the size of an element is unknown or implausible.
bool bytesOf(const nccl::Operation &What, uint64_t &Bytes) {
  constexpr size_t MostElements = size_t(1) << 56;
  for (const Datatype &Each : Datatypes)
    if (What.Datatype != nullptr && What.Count <= MostElements &&
        strcmp(Each.Name, What.Datatype) == 0) {
      Bytes = uint64_t(What.Count) * Each.Bytes;
      return true;
    }
  return false;
}

void appendHex(Text &To, uint64_t Number) {
  for (int Shift = 60; Shift >= 0; Shift -= 4)
    To << "0123456789abcdef"[Number >> Shift & 15];
}

// Writes the hash as NCCL's own log does.
void name(Communicator &Of, const char *Given) {
  TextBuffer<LongestName> Name;
  if (Given != nullptr && *Given != 0)
    Name.append(Given, strnlen(Given, 40)) << ", ";
  Name << "communicator 0x";
  appendHex(Name, Of.Hash);
  if (Of.Ranks > 0)
    Name << " of " << int64_t(Of.Ranks);
  copyHead(Of.Name, sizeof(Of.Name), Name.c_str());
}

// The site of a function's operations; null if there are too many. Lock held.
const loopscope_site *findSite(Communicator &On, const char *Function) {
  constexpr size_t Prefix = 4; // "nccl"
  for (uint32_t I = 0; I < On.Count; ++I)
    if (strcmp(On.Functions[I].Name + Prefix, Function) == 0)
      return &On.Functions[I].Site;
  if (On.Count == MostFunctions)
    return nullptr;
  FunctionSite &New = On.Functions[On.Count++];
  TextBuffer<LongestFunction> Name;
  Name << "nccl" << Function;
  copyHead(New.Name, sizeof(New.Name), Name.c_str());
  New.Site = {
      LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, New.Name, On.Name, ""};
  return &New.Site;
}

// Whether every rank waits for every other one in it.
bool isCompared(const char *Function) {
  constexpr const char *Names[] = {"AllReduce", "AllGather", "ReduceScatter",
                                   "AlltoAll"};
  for (const char *Each : Names)
    if (strcmp(Each, Function) == 0)
      return true;
  return false;
}

void addBytes(const Node *To, uint64_t Bytes) {
  if (addToKnownNode(State.Bytes, To->index, Bytes))
    return;
  if (SlowPath Path(false); Path)
    addToNode(State.Bytes, To->index, Bytes);
}
} // namespace

void nccl::registerOperations() {
  registerCounter(LOOPSCOPE_COUNT_NCCL_LOST);
  registerCounter(LOOPSCOPE_COUNT_NCCL_UNSIZED);
  State.Bytes = registerSum(LOOPSCOPE_SUM_COMM_ENQUEUED, LOOPSCOPE_SUM_BYTES);
  State.Cost = findSum(LOOPSCOPE_SUM_COST "comm");
}

Communicator *nccl::findCommunicator(uint64_t Hash, int Ranks,
                                     const char *Name) {
  MutexLock Held(State.Mutex);
  for (uint32_t I = 0; I < State.Count; ++I)
    if (State.Communicators[I]->Hash == Hash &&
        State.Communicators[I]->Ranks == Ranks)
      return State.Communicators[I];
  auto *New =
      State.Count == MostCommunicators
          ? nullptr
          : static_cast<Communicator *>(mapMemory(sizeof(Communicator)));
  if (New == nullptr)
    return nullptr;
  New->Hash = Hash;
  New->Ranks = Ranks;
  name(*New, Name);
  State.Communicators[State.Count++] = New;
  return New;
}

void nccl::beginKernel() { *Kernel = {takeCommunication(), false}; }

void nccl::record(Communicator *On, const Operation &What) {
  uint64_t Began = now();
  const loopscope_site *Site = nullptr;
  if (On != nullptr && What.Function != nullptr) {
    MutexLock Held(State.Mutex);
    Site = findSite(*On, What.Function);
  }
  if (Site == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_NCCL_LOST, 1);
    return;
  }
  uint64_t Bytes = 0;
  if (!bytesOf(What, Bytes))
    addToCounter(LOOPSCOPE_COUNT_NCCL_UNSIZED, 1);
  loopscope_token Token = loopscope_enter(Site);
  if (Token == nullptr)
    return; // counted as lost, or in a step outside the window
  Thread *T = ownTree();
  if (T == nullptr)
    return; // the tree was lost meanwhile (lost_file.h)
  const Node *Own = links(T).Current;
  addBytes(Own, Bytes);
  if (What.IsOnKernel && Kernel->Launch != 0) {
    if (!Kernel->IsCharged)
      callExtensions(&Extension::LaunchBelongs, Kernel->Launch, Own->index);
    Kernel->IsCharged = true;
    awaitTime(Kernel->Launch,
              {Own->index, isCompared(What.Function), What.Sequence, Bytes,
               stepOf(links(T).Current), static_cast<uint32_t>(On->Ranks),
               static_cast<uint32_t>(What.Rank)});
  }
  uint64_t Taken = elapsed(Began, Own->enter_ticks);
  loopscope_leave(Token);
  if (ownTree() == T)
    bookCost(State.Cost, links(T).Current, Taken);
}

void nccl::resetAfterFork() { pthread_mutex_init(&State.Mutex, nullptr); }
