// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads each tree twice: what is the same both times was so in between.

#include "tree_copy.h"

#include "base/clock.h"
#include "base/memory.h"
#include "profile_file.h"

#include <loopscope/profile_copy.h>

#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
using NodeRecord = loopscope_profile_node;

uint64_t bytesOf(const Chunk *C) {
  return uint64_t(C->capacity) * C->entry_size;
}

// Calls VISIT(chunk, where its records are in the copy) for chunks of nodes.
template <typename Function> void forEachChunk(Function Visit) {
  uint64_t At = 0;
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
    if (C->type == LOOPSCOPE_CHUNK_NODES) {
      Visit(C, At);
      At += bytesOf(C);
    }
}

// The same for nodes in use.
template <typename Function> void forEachNode(Function Visit) {
  forEachChunk([&](Chunk *C, uint64_t At) {
    for (uint32_t I = 0; I < C->capacity; ++I) {
      uint64_t Offset = uint64_t(I) * C->entry_size;
      const auto *N = reinterpret_cast<const NodeRecord *>(entries(C) + Offset);
      if (__atomic_load_n(&N->state, __ATOMIC_ACQUIRE) != 0)
        Visit(N, At + Offset);
    }
  });
}
} // namespace

TreeCopy::TreeCopy() {
  forEachChunk([this](Chunk *C, uint64_t /*At*/) { Size += bytesOf(C); });
  Room = Size / sizeof(NodeRecord);
  Bytes = static_cast<char *>(mapMemory(Size));
  List = static_cast<Pair *>(mapMemory(bytesOfLists()));
  if (Bytes == nullptr || List == nullptr)
    return;
  Moments = reinterpret_cast<uint64_t *>(List + 2 * Room);
  list();
}

size_t TreeCopy::bytesOfLists() const {
  return Room * (2 * sizeof(Pair) + sizeof(*Moments));
}

TreeCopy::~TreeCopy() {
  if (Bytes != nullptr)
    munmap(Bytes, Size);
  if (List != nullptr)
    munmap(static_cast<void *>(List), bytesOfLists());
}

// Threads go on to make nodes, which have places anywhere. If there are as many
// afterwards as before, the nodes found in between are all that there were.
void TreeCopy::find(Pair *Found) {
  constexpr int MostTries = 1000;
  auto CountNodes = [] {
    uint64_t Nodes = 0;
    forEachNode([&](const NodeRecord *, uint64_t) { ++Nodes; });
    return Nodes;
  };
  for (int Try = 0; Try < MostTries; ++Try) {
    uint64_t Before = CountNodes();
    Count = 0;
    forEachNode([&](const NodeRecord *N, uint64_t At) {
      if (N->thread < Room && Count < Room)
        Found[Count++] = {N, Bytes + At};
    });
    if (CountNodes() == Before)
      return;
  }
}

// Sorts by counting, with the numbers of each thread in the copy's own memory,
// which has more room than there are threads.
void TreeCopy::list() {
  Pair *Found = List + Room;
  find(Found);
  auto *Begin = reinterpret_cast<uint32_t *>(Bytes);
  for (uint64_t I = 0; I < Count; ++I)
    ++Begin[Found[I].Live->thread + 1];
  for (uint64_t Thread = 0; Thread < Room; ++Thread)
    Begin[Thread + 1] += Begin[Thread];
  for (uint64_t I = 0; I < Count; ++I)
    List[Begin[Found[I].Live->thread]++] = Found[I];
  memset(Bytes, 0, Size);
}

// Returns the moment.
uint64_t TreeCopy::takeTree(const Pair *First, const Pair *End) {
  constexpr int MostTries = 1000;
  for (int Try = 0; Try < MostTries; ++Try) {
    uint64_t Moment = now();
    for (const Pair *Each = First; Each != End; ++Each)
      memcpy(Each->Copy, Each->Live, sizeof(NodeRecord));
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const Pair *Same = First;
    while (Same != End &&
           memcmp(Same->Copy, static_cast<const void *>(Same->Live),
                  sizeof(NodeRecord)) == 0)
      ++Same;
    if (Same == End)
      return Moment;
  }
  for (const Pair *Each = First; Each != End; ++Each)
    loopscope::profile_copy::copyStable(Each->Live->sequence, [Each] {
      memcpy(Each->Copy, Each->Live, sizeof(NodeRecord));
    });
  return now();
}

void TreeCopy::take() {
  for (const Pair *First = List; First != List + Count;) {
    const Pair *End = First;
    while (End != List + Count && End->Live->thread == First->Live->thread)
      ++End;
    uint32_t Thread = First->Live->thread;
    Moments[Thread] = takeTree(First, End);
    First = End;
  }
}

const char *TreeCopy::recordsOf(const Chunk *C) const {
  const char *Found = nullptr;
  forEachChunk([&](Chunk *Each, uint64_t At) {
    if (Each == C)
      Found = Bytes + At;
  });
  return Found;
}
