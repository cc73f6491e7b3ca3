// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the wrappers of MPI's functions call (loopscope/mpi.h).

#pragma GCC visibility push(default)
#include <loopscope/mpi.h>
#pragma GCC visibility pop

#include "collectives.h"
#include "peers.h"

#include "core/clock.h"
#include "core/process.h"
#include "core/threads.h"

using namespace loopscope::runtime;

bool loopscope::runtime::MpiWanted = true;

int __loopscope_mpi_records() noexcept {
  return startRuntime() && MpiWanted ? 1 : 0;
}

void __loopscope_mpi_rank(int Index, int World) noexcept {
  SlowPath Path(false);
  if (Path)
    correctRank({Index, World, "MPI_COMM_WORLD"});
}

void __loopscope_mpi_bytes(loopscope_token Token, int64_t Bytes) noexcept {
  Thread *T = ThisThread.Tree;
  if (T == nullptr || Bytes <= 0)
    return;
  Node *Open = links(T).Current; // the wrapper's span
  if (Open->kind == LOOPSCOPE_KIND_COLLECTIVE)
    __loopscope_samples(Token, Bytes);
  else
    addBytes(Open, static_cast<uint64_t>(Bytes));
}

uint32_t __loopscope_mpi_node() noexcept {
  Thread *T = ThisThread.Tree;
  return T == nullptr ? LOOPSCOPE_NONE : links(T).Current->index;
}

void __loopscope_mpi_peer(uint32_t Node, int Peer, int Role,
                          int64_t Bytes) noexcept {
  if (Node != LOOPSCOPE_NONE && Peer >= 0)
    addPeer(Node, static_cast<uint32_t>(Peer),
            static_cast<loopscope_peer_role>(Role),
            Bytes > 0 ? static_cast<uint64_t>(Bytes) : 0);
}

uint64_t __loopscope_mpi_now() noexcept { return now(); }

void __loopscope_mpi_request(uint32_t Node, uint64_t Since) noexcept {
  if (Node == LOOPSCOPE_NONE)
    loseRequests(1);
  else
    addRequest(Node, elapsed(Since, now()));
}
