// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands out nodes in small reserves, each to one thread.

#include "node_pool.h"

#include "base/slow_lock.h"
#include "profile/chunks.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"

using namespace loopscope::runtime;

namespace {
constexpr uint32_t NodesPerReserve = 8;
constexpr uint32_t FirstNodesPerChunk = 32;
constexpr uint32_t MostNodesPerChunk = 1024;
static_assert(sizeof(Chunk) + MostNodesPerChunk * sizeof(Node) <= OwnDistance);

// The chunk's own header may become zero (lost_file.h), hence the copies.
struct NodePool {
  Chunk *Last;
  uint32_t FirstIndex; // of Last
  uint32_t Capacity;   // of Last
  uint32_t Taken;      // of Last
};
NodePool Pool;

// Adds a chunk, twice as large as the last. False: no room.
bool addNodes() {
  uint32_t First = Pool.FirstIndex + Pool.Capacity;
  uint32_t Capacity =
      Pool.Last == nullptr ? FirstNodesPerChunk : Pool.Capacity * 2;
  if (Capacity > MostNodesPerChunk)
    Capacity = MostNodesPerChunk;
  if (First + Capacity > MaxNodes)
    return false;
  Chunk *C = addChunk(LOOPSCOPE_CHUNK_NODES, First, Capacity, sizeof(Node),
                      sizeof(loopscope_histogram));
  if (C == nullptr)
    return false;
  Pool = {C, First, Capacity, 0};
  return true;
}
} // namespace

bool loopscope::runtime::takeNodes(Thread *T) {
  if (Pool.Capacity - Pool.Taken < NodesPerReserve && !addNodes())
    return false;
  Chunk *C = Pool.Last;
  ThreadLinks &L = links(T);
  uint32_t First = Pool.Taken;
  auto *Nodes = reinterpret_cast<Node *>(entries(C));
  L.Reserve = Nodes + First;
  L.ReserveHistograms =
      reinterpret_cast<loopscope_histogram *>(Nodes + Pool.Capacity) + First;
  T->reserve_index = Pool.FirstIndex + First;
  L.ReserveCount = NodesPerReserve;
  Pool.Taken += NodesPerReserve;
  __atomic_store_n(&C->used, Pool.Taken, __ATOMIC_RELEASE);
  return true;
}

bool loopscope::runtime::refillNodes(Thread *T) {
  SlowLock Lock;
  return takeNodes(T);
}

void loopscope::runtime::resetNodePool() { Pool = {}; }
