// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the MPI wrappers call (loopscope/mpi.h).

#pragma GCC visibility push(default)
#include <loopscope/mpi.h>
#include <loopscope/named_losses.h>
#pragma GCC visibility pop

#include "mpi.h"

#include "collectives.h"
#include "own_steps.h"
#include "peers.h"

#include "base/clock.h"
#include "base/objects.h"
#include "process/facts.h"
#include "process/identity.h"
#include "process/process.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

using namespace loopscope::runtime;

bool loopscope::runtime::MpiWanted = true;
bool loopscope::runtime::GlooWanted = true;

namespace {
struct MpiState {
  const MpiServices *Other; // of the copy of the runtime that records
  unsigned char OtherIsKnown;
  unsigned char IsSeen; // a wrapper was called
};
MpiState State;

// The thread's last clock reading when it had asked for something that hadn't
// come.
LOOPSCOPE_PER_THREAD(uint64_t, AskedAt);

// What a loop and our own wrapper take between two questions. Work of this
// length between them can't be told from that.
constexpr uint64_t LongestPauseNs = 200;

bool isAtOnce(uint64_t Since) {
  return now() - Since <=
         calibratedHz(*Header) / (NsPerSecond / LongestPauseNs);
}

const char *nameOf(const dl_phdr_info &Object) {
  const char *Path = Object.dlpi_name == nullptr ? "" : Object.dlpi_name;
  const char *Name = strrchr(Path, '/');
  return Name == nullptr ? Path : Name + 1;
}

// Matches libmpi.so.12, libmpich.so, libmpi_cray.so and so on.
bool isMpi(const char *Name) { return strncmp(Name, "libmpi", 6) == 0; }

struct Symbol {
  const char *Name;
  void *Found;
};

int findIn(dl_phdr_info *Object, size_t /*Size*/, void *Data) {
  auto &Of = *static_cast<Symbol *>(Data);
  if (!isMpi(nameOf(*Object)))
    return 0;
  void *Library = dlopen(Object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (Library == nullptr)
    return 0;
  Of.Found = dlsym(Library, Of.Name);
  dlclose(Library);
  return Of.Found != nullptr ? 1 : 0;
}

int isStandard(dl_phdr_info *Object, size_t /*Size*/, void * /*Data*/) {
  constexpr const char *Name = "libmpi_abi.so";
  return strncmp(nameOf(*Object), Name, strlen(Name)) == 0 ? 1 : 0;
}
} // namespace

const MpiServices *loopscope::runtime::otherMpi() {
  if (!__atomic_load_n(&State.OtherIsKnown, __ATOMIC_ACQUIRE)) {
    if (const Entries *Runtime = otherRuntime())
      if (EntryPoint Entry = Runtime->FindEntry(CommExtensionName))
        State.Other = reinterpret_cast<decltype(&mpiServices)>(Entry)();
    if (State.Other != nullptr && State.Other->Size != sizeof(MpiServices))
      State.Other = nullptr;
    __atomic_store_n(&State.OtherIsKnown, 1, __ATOMIC_RELEASE);
  }
  return State.Other;
}

const MpiServices *loopscope::runtime::mpiServices() {
  static constexpr MpiServices Own = {
      sizeof(MpiServices),         __loopscope_mpi_records,
      __loopscope_mpi_rank,        __loopscope_mpi_asked,
      __loopscope_mpi_enter_again, __loopscope_mpi_bytes,
      __loopscope_mpi_node,        __loopscope_mpi_peer,
      __loopscope_mpi_await,       __loopscope_mpi_now,
      __loopscope_mpi_request,     __loopscope_gloo_records,
      __loopscope_gloo_rank,       __loopscope_merge_begin,
      __loopscope_merge_awaits,    __loopscope_merge_base,
      __loopscope_merge_packed,    __loopscope_merge_copy,
      __loopscope_merge_place,     __loopscope_merge_chosen,
      __loopscope_merge_whole,     __loopscope_merge_end};
  return &Own;
}

void loopscope::runtime::registerMpi() {
  registerCounter(LOOPSCOPE_COUNT_COMM_MPI_UNSEEN);
}

void loopscope::runtime::noticeUnseenMpi() {
  if (!MpiWanted || __atomic_load_n(&State.IsSeen, __ATOMIC_RELAXED) != 0)
    return;
  void *Found = __loopscope_mpi_find("PMPI_Initialized");
  if (Found == nullptr)
    return;
  int IsInitialized = 0;
  if (reinterpret_cast<int (*)(int *)>(Found)(&IsInitialized) == 0 &&
      IsInitialized != 0)
    addToCounter(LOOPSCOPE_COUNT_COMM_MPI_UNSEEN, 1);
}

void __loopscope_mpi_asked() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Asked();
  if (Thread *T = ownTree())
    *AskedAt = T->last_ticks;
}

loopscope_token
__loopscope_mpi_enter_again(const loopscope_site *Site) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->EnterAgain(Site);
  Thread *T = ownTree();
  uint64_t Since = *AskedAt;
  return T != nullptr && T->last_ticks == Since && isAtOnce(Since)
             ? __loopscope_enter_adjacent(Site)
             : __loopscope_enter(Site);
}

void *__loopscope_mpi_find(const char *Name) noexcept {
  Symbol Of = {Name, dlsym(RTLD_DEFAULT, Name)};
  if (Of.Found == nullptr)
    dl_iterate_phdr(findIn, &Of);
  return Of.Found;
}

int __loopscope_mpi_is_standard() noexcept {
  return dl_iterate_phdr(isStandard, nullptr);
}

int __loopscope_mpi_records() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Records();
  __atomic_store_n(&State.IsSeen, 1, __ATOMIC_RELAXED);
  return startRuntime() && MpiWanted ? 1 : 0;
}

void __loopscope_mpi_rank(int Index, int World) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Rank(Index, World);
  SlowPath Path(false);
  if (Path)
    correctRank({Index, World, "MPI_COMM_WORLD"});
  if (World > 1)
    wantOwnSteps();
}

int __loopscope_gloo_records() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->GlooRecords();
  if (!startRuntime() || !GlooWanted)
    return 0;
  __atomic_store_n(&Process.RecordsGloo, true, __ATOMIC_RELAXED);
  return 1;
}

int __loopscope_gloo_rank(int Index, int World) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->GlooRank(Index, World);
  if (!__loopscope_gloo_records())
    return 0;
  if (Process.Rank.Index < 0) {
    SlowPath Path(false);
    if (Path)
      correctRank({Index, World, "c10d"});
  }
  if (Process.Rank.World > 1)
    wantOwnSteps();
  return Process.Rank.Index == Index && Process.Rank.World == World ? 1 : 0;
}

void __loopscope_mpi_bytes(loopscope_token Token, int64_t Bytes) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Bytes(Token, Bytes);
  Thread *T = ownTree();
  if (T == nullptr || Bytes <= 0)
    return;
  Node *Open = links(T).Current; // the wrapper's span
  if (Open->kind == LOOPSCOPE_KIND_COLLECTIVE)
    __loopscope_samples(Token, Bytes);
  else
    addBytes(Open, static_cast<uint64_t>(Bytes));
}

uint32_t __loopscope_mpi_node() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Node();
  Thread *T = ownTree();
  return T == nullptr ? LOOPSCOPE_NONE : links(T).Current->index;
}

void __loopscope_mpi_peer(uint32_t Node, int Peer, int Role,
                          int64_t Bytes) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Peer(Node, Peer, Role, Bytes);
  if (Node != LOOPSCOPE_NONE && Peer >= 0)
    addPeer(Node, static_cast<uint32_t>(Peer),
            static_cast<loopscope_peer_role>(Role),
            Bytes > 0 ? static_cast<uint64_t>(Bytes) : 0);
}

void __loopscope_mpi_await(const int *Ranks, uint32_t Count) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Await(Ranks, Count);
  Thread *T = ownTree();
  if (T == nullptr)
    return;
  // For readers of the running program.
  __atomic_store_n(&T->awaiting, 0, __ATOMIC_RELAXED);
  if (Count == 0)
    return;
  __atomic_store_n(&T->awaited_count, Count, __ATOMIC_RELEASE);
  for (uint32_t I = 0; I < Count && I < LOOPSCOPE_MOST_AWAITED; ++I)
    __atomic_store_n(&T->awaited[I],
                     Ranks[I] < 0 ? LOOPSCOPE_ANY_RANK
                                  : static_cast<uint32_t>(Ranks[I]),
                     __ATOMIC_RELAXED);
  __atomic_store_n(&T->awaiting, links(T).Current->index + 1, __ATOMIC_RELEASE);
}

uint64_t __loopscope_mpi_now() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Now();
  return now();
}

void __loopscope_mpi_request(uint32_t Node, uint64_t Since) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->Request(Node, Since);
  if (Node == LOOPSCOPE_NONE)
    loseRequests(1);
  else
    addRequest(Node, elapsed(Since, now()));
}
