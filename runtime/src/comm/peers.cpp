// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open hash table in one chunk. Entries are made under a lock and never
// freed; any thread adds to the numbers.

#include "peers.h"

#include "base/probe.h"
#include "base/slow_lock.h"
#include "base/thread_links.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>

using namespace loopscope::runtime;

namespace {
using Peer = loopscope_peer;
constexpr uint32_t PlaceBits = 12;
constexpr uint32_t Places = 1U << PlaceBits; // 128 KiB
constexpr uint32_t MostTries = 64;

struct PeersState {
  Peer *Table;
  SumId Requests;
  unsigned char RequestsAreWritten;
};
PeersState State;

uint32_t firstPlace(uint32_t Node, uint32_t Rank, uint32_t Role) {
  uint64_t Key =
      (uint64_t(Node) << 34 ^ uint64_t(Rank) << 2 ^ Role) * 0x9e3779b97f4a7c15U;
  return static_cast<uint32_t>(Key >> (64 - PlaceBits));
}

// The entry, or null; then *FREE is where it would go.
Peer *find(Peer *Table, uint32_t Node, uint32_t Rank, uint32_t Role,
           Peer *&Free) {
  uint32_t Its = 0;
  Peer *Found = probe(
      Table, Places, firstPlace(Node, Rank, Role),
      [&](const Peer &Each) {
        Its = __atomic_load_n(&Each.role, __ATOMIC_ACQUIRE);
        return Its == 0 ||
               (Its == Role && Each.node == Node && Each.peer == Rank);
      },
      MostTries);
  Free = Its == 0 ? Found : nullptr;
  return Its == 0 ? nullptr : Found;
}

// The same, but makes the entry; null if there is no room.
Peer *findOrMake(uint32_t Node, uint32_t Rank, uint32_t Role) {
  Peer *Free = nullptr;
  Peer *Table = __atomic_load_n(&State.Table, __ATOMIC_ACQUIRE);
  if (Table != nullptr)
    if (Peer *Known = find(Table, Node, Rank, Role, Free);
        Known != nullptr || Free == nullptr)
      return Known;
  SlowPath Path(false);
  if (!Path)
    return nullptr; // a call in a signal handler
  SlowLock Lock;
  if (State.Table == nullptr) {
    Chunk *New = addChunk(LOOPSCOPE_CHUNK_PEERS, 0, Places, sizeof(Peer), 0);
    if (New == nullptr)
      return nullptr;
    publish(New, Places); // each entry says whether it is used
    __atomic_store_n(&State.Table, reinterpret_cast<Peer *>(entries(New)),
                     __ATOMIC_RELEASE);
  }
  Peer *Known = find(State.Table, Node, Rank, Role, Free);
  if (Known != nullptr || Free == nullptr)
    return Known;
  Free->node = Node;
  Free->peer = Rank;
  __atomic_store_n(&Free->role, Role, __ATOMIC_RELEASE);
  return Free;
}
} // namespace

void loopscope::runtime::registerPeers() {
  registerCounter(LOOPSCOPE_COUNT_COMM_PEERS_LOST);
  registerCounter(LOOPSCOPE_COUNT_COMM_REQUESTS_LOST);
  State.Requests =
      registerSum(LOOPSCOPE_SUM_COMM_REQUESTS, LOOPSCOPE_SUM_TICKS);
}

void loopscope::runtime::addPeer(uint32_t Node, uint32_t Rank,
                                 loopscope_peer_role Role, uint64_t Bytes) {
  Peer *To = findOrMake(Node, Rank, Role);
  if (To == nullptr) {
    addToCounter(LOOPSCOPE_COUNT_COMM_PEERS_LOST, 1);
    return;
  }
  __atomic_fetch_add(&To->calls, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&To->bytes, Bytes, __ATOMIC_RELAXED);
}

void loopscope::runtime::addRequest(uint32_t Node, uint64_t Ticks) {
  // Requests may end on any thread, and a node's sum has one writer at a time.
  SlowPath Path(false);
  if (!Path)
    return;
  while (__atomic_test_and_set(&State.RequestsAreWritten, __ATOMIC_ACQUIRE))
    ;
  if (!addToKnownNode(State.Requests, Node, Ticks))
    addToNode(State.Requests, Node, Ticks);
  __atomic_clear(&State.RequestsAreWritten, __ATOMIC_RELEASE);
}

void loopscope::runtime::loseRequests(uint64_t Count) {
  addToCounter(LOOPSCOPE_COUNT_COMM_REQUESTS_LOST, Count);
}

void loopscope::runtime::resetPeers() { State.Table = nullptr; }
