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

struct NodePool {
  Chunk *Last;
  uint32_t Taken; // of Last
};
NodePool Pool;
} // namespace

bool loopscope::runtime::takeNodes(Thread *T) {
  Chunk *C = Pool.Last;
  if (C == nullptr || C->capacity - Pool.Taken < NodesPerReserve) {
    uint32_t Capacity = FirstNodesPerChunk;
    if (C != nullptr) {
      Capacity = C->capacity * 2;
      if (Capacity > MostNodesPerChunk)
        Capacity = MostNodesPerChunk;
      if (C->first_index + C->capacity + Capacity > MaxNodes)
        return false;
    }
    C = addChunkAfter(Pool.Last, LOOPSCOPE_CHUNK_NODES, Capacity, sizeof(Node),
                      sizeof(loopscope_histogram));
    if (C == nullptr)
      return false;
    Pool.Taken = 0;
  }
  ThreadLinks &L = links(T);
  uint32_t First = Pool.Taken;
  auto *Nodes = reinterpret_cast<Node *>(entries(C));
  L.Reserve = Nodes + First;
  L.ReserveHistograms =
      reinterpret_cast<loopscope_histogram *>(Nodes + C->capacity) + First;
  T->reserve_index = C->first_index + First;
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
