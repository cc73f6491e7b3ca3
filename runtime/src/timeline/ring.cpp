// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's ring: blocks in EVENTS chunks up to the size limit, then the
// oldest block again.
//
// While the ring is new, the kernel has to create its pages, which takes longer
// than writing the events. So the background thread makes chunks ahead of the
// writers; if there is no such thread, or it is late, a writer makes them
// itself, a few pages at a time, so that no step pays for all.

#include "ring.h"

#include "base/memory.h"
#include "base/slow_lock.h"
#include "process/background.h"
#include "process/facts.h"
#include "profile/chunks.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "tree/events.h"

#include <loopscope/profile_counters.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

// Since Linux 5.14; older headers lack it.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

using namespace loopscope::runtime;

namespace {
using Block = loopscope_event_block;

constexpr uint32_t BlocksPerChunk = 64; // 1 MiB
constexpr uint32_t BlocksPerPiece = 4;  // get their pages in one call
constexpr uint32_t MostAhead = 16;      // chunks
// When this many blocks of a chunk are in use, the next chunk is requested.
constexpr uint32_t UsedWhenAsked = BlocksPerChunk / 4;

// The running process's part of a block.
struct __attribute__((may_alias)) BlockLinks {
  Block *Next;   // finished after this one
  uint64_t Used; // number of events, once it is finished
};
static_assert(sizeof(BlockLinks) == sizeof(Block::writer_private));

BlockLinks &blockLinks(Block *B) {
  return *reinterpret_cast<BlockLinks *>(B->writer_private);
}

struct TimelineRing {
  Chunk *Last;             // chunk whose blocks are being handed out
  uint32_t WithPages;      // number of its blocks with pages
  uint32_t Blocks;         // in all chunks
  uint64_t Bytes;          // in all chunks
  bool Full;               // no more chunks: size limit, or out of memory
  Chunk *Ahead[MostAhead]; // chunks with all their pages, oldest first
  uint32_t AheadCount;
  uint32_t AheadGoal = 1; // raised when a writer had to wait
  uint64_t Sequence;
  Block *Oldest; // finished blocks, in order of finishing
  Block *Newest;
};
TimelineRing Timeline;

Block *blocksOf(Chunk *C) { return reinterpret_cast<Block *>(entries(C)); }

// One more chunk; null if the ring has reached its size. Lock held.
Chunk *growRing() {
  if (Timeline.Full)
    return nullptr;
  // Others may reserve their part when the rest is already used.
  uint64_t Taken = Timeline.Bytes + reservedEventBytes();
  uint64_t Room = Taken < Process.Settings.EventBytes
                      ? Process.Settings.EventBytes - Taken
                      : 0;
  uint64_t Blocks = Room / sizeof(Block);
  if (Blocks > BlocksPerChunk)
    Blocks = BlocksPerChunk;
  Chunk *C = Blocks == 0
                 ? nullptr
                 : addChunk(LOOPSCOPE_CHUNK_EVENTS, Timeline.Blocks,
                            static_cast<uint32_t>(Blocks), sizeof(Block), 0);
  if (C == nullptr) {
    Timeline.Full = true;
    return nullptr;
  }
  Timeline.Bytes += C->size;
  Timeline.Blocks += C->capacity;
  return C;
}

// One call for the pages of a few blocks, instead of a fault for each; not
// available before kernel 5.14. Not for the whole chunk at once, because the
// program's mmap calls wait meanwhile.
void makePages(Chunk *C, uint32_t From) {
  uintptr_t Start =
      reinterpret_cast<uintptr_t>(blocksOf(C) + From) & ~(pageSize() - 1);
  uintptr_t End = reinterpret_cast<uintptr_t>(blocksOf(C) + From) +
                  BlocksPerPiece * sizeof(Block);
  uintptr_t Limit = reinterpret_cast<uintptr_t>(C) + C->size;
  int Saved = errno;
  madvise(reinterpret_cast<void *>(Start), (End < Limit ? End : Limit) - Start,
          MADV_POPULATE_WRITE);
  errno = Saved;
}

// The next chunk, made ahead if possible. Null if the ring has reached its
// size.
Chunk *nextEventChunk() {
  if (Timeline.AheadCount == 0) {
    if (Timeline.AheadGoal < MostAhead && Timeline.Last != nullptr)
      ++Timeline.AheadGoal;
    Timeline.WithPages = 0;
    return growRing();
  }
  Chunk *C = Timeline.Ahead[0];
  --Timeline.AheadCount;
  for (uint32_t I = 0; I < Timeline.AheadCount; ++I)
    Timeline.Ahead[I] = Timeline.Ahead[I + 1];
  Timeline.WithPages = C->capacity;
  return C;
}

bool wantsChunksAhead() {
  return !Timeline.Full && Timeline.AheadCount < Timeline.AheadGoal;
}

// A fresh block; null if the ring has reached its size.
Block *newBlock() {
  Chunk *C = Timeline.Last;
  if (C == nullptr || C->used >= C->capacity) {
    C = nextEventChunk();
    if (C == nullptr)
      return nullptr;
    Timeline.Last = C;
  }
  if (C->used == Timeline.WithPages) {
    makePages(C, C->used);
    Timeline.WithPages += BlocksPerPiece;
  }
  if (C->used >= UsedWhenAsked && wantsChunksAhead())
    callBackground();
  Block *B = blocksOf(C) + C->used;
  __atomic_store_n(&C->used, C->used + 1, __ATOMIC_RELEASE);
  return B;
}

// The block finished longest ago, emptied.
Block *oldestBlock() {
  Block *B = Timeline.Oldest;
  if (B == nullptr)
    return nullptr;
  Timeline.Oldest = blockLinks(B).Next;
  if (Timeline.Oldest == nullptr)
    Timeline.Newest = nullptr;
  __atomic_store_n(&B->sequence, uint64_t(0), __ATOMIC_RELAXED);
  orderStores();
  __atomic_fetch_add(&Header->counters[LOOPSCOPE_COUNT_EVENTS_DROPPED],
                     blockLinks(B).Used, __ATOMIC_RELAXED);
  memset(B->event, 0, sizeof(B->event));
  return B;
}

void finishBlock(Block *B) {
  blockLinks(B).Next = nullptr;
  (Timeline.Oldest == nullptr ? Timeline.Oldest
                              : blockLinks(Timeline.Newest).Next) = B;
  Timeline.Newest = B;
}

// The block that ends at END.
Block *blockEndingAt(uint64_t *End) {
  return reinterpret_cast<Block *>(reinterpret_cast<char *>(End + 1) -
                                   sizeof(Block));
}

// Lock held.
bool replaceBlock(Thread *T, uint64_t Ticks) {
  ThreadLinks &L = links(T);
  Block *Old = L.EventEnd == nullptr ? nullptr : blockEndingAt(L.EventEnd);
  if (Old != nullptr && L.EventCursor != nullptr) {
    blockLinks(Old).Used = static_cast<uint64_t>(L.EventCursor - Old->event);
    finishBlock(Old);
  }
  Block *B = newBlock();
  if (B == nullptr)
    B = oldestBlock();
  if (B == nullptr) {
    endEvents(T);
    return false;
  }
  B->base_ticks = Ticks;
  B->thread = T->index;
  // One word stays free for a NUMBER, which never starts a block.
  L.EventCursor = B->event;
  L.EventEnd = B->event + LOOPSCOPE_EVENT_BLOCK_EVENTS - 1;
  L.EventBase = Ticks;
  __atomic_store_n(&B->sequence, ++Timeline.Sequence, __ATOMIC_RELEASE);
  return true;
}
} // namespace

void loopscope::runtime::startTimeline(Thread *T) {
  if (Process.Settings.Mode != LOOPSCOPE_MODE_TRACE)
    return;
  SlowLock Lock;
  Events.NextBlock = replaceBlock;
  if (links(T).EventEnd == nullptr)
    replaceBlock(T, T->start_ticks);
}

bool loopscope::runtime::makeEventChunk() {
  Chunk *C = nullptr;
  {
    SlowLock Lock;
    C = wantsChunksAhead() ? growRing() : nullptr;
  }
  if (C == nullptr)
    return false;
  for (uint32_t I = 0; I < C->capacity; I += BlocksPerPiece)
    makePages(C, I);
  SlowLock Lock;
  Timeline.Ahead[Timeline.AheadCount++] = C;
  return wantsChunksAhead();
}

void loopscope::runtime::resetTimeline() { Timeline = {}; }
