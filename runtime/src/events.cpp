// The timeline's ring: blocks in EVENTS chunks up to the size limit, then the
// oldest block again.
#include "events.h"

#include "process.h"
#include "profile_file.h"
#include "threads.h"

#include <string.h>
#include <sys/mman.h>

// Linux 5.14; older headers don't name it.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

using namespace loopscope::runtime;

uint64_t loopscope::runtime::NoTimeline = 0;

namespace {
using Block = loopscope_event_block;

constexpr uint32_t BlocksPerChunk = 64; // 1 MiB

// The running process's part of a block.
struct __attribute__((may_alias)) BlockLinks {
  Block *Next;   // finished after this one
  uint64_t Used; // events in it, when it is finished
};
static_assert(sizeof(BlockLinks) == sizeof(Block::writer_private));

BlockLinks &blockLinks(Block *B) {
  return *reinterpret_cast<BlockLinks *>(B->writer_private);
}

struct Ring {
  Chunk *Last;
  uint64_t Bytes; // of all chunks
  bool Full;      // no more chunks: the limit, or no memory
  uint64_t Sequence;
  Block *Oldest; // finished blocks, in the order they were finished
  Block *Newest;
};
Ring Events;

// A block that was never used; null when the ring has reached its size.
Block *newBlock() {
  Chunk *C = Events.Last;
  if (C == nullptr || C->used == C->capacity) {
    if (Events.Full)
      return nullptr;
    // The GPU may ask for its part when the rest is used already.
    uint64_t Taken = Events.Bytes +
                     __atomic_load_n(&Settings.GpuEventBytes, __ATOMIC_RELAXED);
    uint64_t Room =
        Taken < Settings.EventBytes ? Settings.EventBytes - Taken : 0;
    uint64_t Blocks = Room / sizeof(Block);
    if (Blocks > BlocksPerChunk)
      Blocks = BlocksPerChunk;
    uint32_t First = C == nullptr ? 0 : C->first_index + C->capacity;
    C = Blocks == 0 ? nullptr
                    : addChunk(LOOPSCOPE_CHUNK_EVENTS, First,
                               static_cast<uint32_t>(Blocks), sizeof(Block), 0);
    if (C == nullptr) {
      Events.Full = true;
      return nullptr;
    }
    // One call for all pages instead of a fault for each; kernels before 5.14
    // don't have it.
    madvise(C, C->size, MADV_POPULATE_WRITE);
    Events.Bytes += C->size;
    Events.Last = C;
  }
  Block *B = reinterpret_cast<Block *>(entries(C)) + C->used;
  __atomic_store_n(&C->used, C->used + 1, __ATOMIC_RELEASE);
  return B;
}

// The block finished longest ago, emptied.
Block *oldestBlock() {
  Block *B = Events.Oldest;
  if (B == nullptr)
    return nullptr;
  Events.Oldest = blockLinks(B).Next;
  if (Events.Oldest == nullptr)
    Events.Newest = nullptr;
  __atomic_store_n(&B->sequence, uint64_t(0), __ATOMIC_RELAXED);
  orderStores();
  __atomic_fetch_add(&Header->counters[LOOPSCOPE_COUNT_EVENTS_DROPPED],
                     blockLinks(B).Used, __ATOMIC_RELAXED);
  memset(B->event, 0, sizeof(B->event));
  return B;
}

void finishBlock(Block *B) {
  blockLinks(B).Next = nullptr;
  (Events.Oldest == nullptr ? Events.Oldest : blockLinks(Events.Newest).Next) =
      B;
  Events.Newest = B;
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
    L.EventCursor = EmittingNvtx ? &NoTimeline : nullptr;
    L.EventEnd = nullptr;
    return false;
  }
  B->base_ticks = Ticks;
  B->thread = T->index;
  // A word stays free for a NUMBER, which never starts a block.
  L.EventCursor = B->event;
  L.EventEnd = B->event + LOOPSCOPE_EVENT_BLOCK_EVENTS - 1;
  L.EventBase = Ticks;
  __atomic_store_n(&B->sequence, ++Events.Sequence, __ATOMIC_RELEASE);
  return true;
}
} // namespace

bool loopscope::runtime::beginBlock(Thread *T, uint64_t Ticks) {
  SlowPath Path;
  if (Path) {
    SlowLock Lock;
    if (replaceBlock(T, Ticks))
      return true;
  }
  count(LOOPSCOPE_COUNT_EVENTS_DROPPED);
  return false;
}

void loopscope::runtime::makeRoom(Thread *T, bool Adjacent) {
  // A loop that begins notes the most: its own BEGIN and its first STEP's, a
  // NUMBER and a DRAW's BEGIN.
  constexpr ptrdiff_t Most = 4;
  ThreadLinks &L = links(T);
  if (L.EventEnd == nullptr)
    return;
  uint64_t Ticks = Adjacent ? T->last_ticks : now();
  // Half of what a value can hold, as the events come a little later.
  if (L.EventEnd - L.EventCursor < Most ||
      (Ticks - L.EventBase) >> (63 - EventValueShift) != 0)
    beginBlock(T, Ticks);
}

void loopscope::runtime::startEvents(Thread *T, uint64_t Ticks) {
  if (Settings.Mode == LOOPSCOPE_MODE_TRACE && links(T).EventCursor == nullptr)
    replaceBlock(T, Ticks);
  if (EmittingNvtx && links(T).EventCursor == nullptr)
    links(T).EventCursor = &NoTimeline;
}

void loopscope::runtime::noteNumber(Thread *T, const Node *N, uint64_t Number) {
  ThreadLinks &L = links(T);
  if (L.EventCursor == nullptr || L.EventCursor == &NoTimeline)
    return;
  *L.EventCursor++ =
      Number << (LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS) |
      uint64_t(LOOPSCOPE_EVENT_NUMBER) << LOOPSCOPE_EVENT_NODE_BITS | N->index;
}

void loopscope::runtime::abandonEvents() { Events = {}; }
