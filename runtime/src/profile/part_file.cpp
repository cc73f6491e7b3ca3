// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies records that their threads may be writing, chunk by chunk.

#include "part_file.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/slow_lock.h"
#include "files.h"
#include "lost_file.h"
#include "profile_file.h"
#include "profile_name.h"
#include "sites.h"
#include "tree_copy.h"

#include <loopscope/profile_copy.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
Chunk *Parts = nullptr;

// Where entries of a type have their sequence number, which is odd while they
// are changed.
struct GuardedType {
  uint32_t Type;
  uint32_t Sequence;
};
constexpr GuardedType GuardedTypes[] = {
    {LOOPSCOPE_CHUNK_GPU_DEVICES, offsetof(loopscope_gpu_device, sequence)},
    {LOOPSCOPE_CHUNK_GPU_WORK, offsetof(loopscope_gpu_work, sequence)},
    {LOOPSCOPE_CHUNK_GPU_NODES, offsetof(loopscope_gpu_node, sequence)},
    {LOOPSCOPE_CHUNK_GPU_WAITS, offsetof(loopscope_gpu_wait, sequence)},
    {LOOPSCOPE_CHUNK_GPU_MEMORY, offsetof(loopscope_gpu_memory, sequence)},
    {LOOPSCOPE_CHUNK_GPU_OVERLAPS, offsetof(loopscope_gpu_overlap, sequence)},
    {LOOPSCOPE_CHUNK_GPU_SAME_WORK,
     offsetof(loopscope_gpu_same_work, sequence)},
    {LOOPSCOPE_CHUNK_GPU_USE, offsetof(loopscope_gpu_use, sequence)},
    {LOOPSCOPE_CHUNK_METRIC_SUMS, offsetof(loopscope_metric_sum, sequence)},
    {LOOPSCOPE_CHUNK_NODE_SUMS, offsetof(loopscope_node_sum, sequence)},
    {LOOPSCOPE_CHUNK_RANGES, offsetof(loopscope_range, sequence)},
    {LOOPSCOPE_CHUNK_FACTS, offsetof(loopscope_fact_record, sequence)},
    {LOOPSCOPE_CHUNK_VALUES, offsetof(loopscope_value_record, sequence)}};

const GuardedType *guardOf(const Chunk *C) {
  for (const GuardedType &Each : GuardedTypes)
    if (Each.Type == C->type)
      return &Each;
  return nullptr;
}

// Whether records of C change while they are copied.
bool isLive(const Chunk *C) {
  return C->type == LOOPSCOPE_CHUNK_NODES ||
         C->type == LOOPSCOPE_CHUNK_THREADS || guardOf(C) != nullptr;
}

// Copies C to TO, each of its records as it was at one moment. A thread's last
// reading is the moment of its tree.
void copyStableChunk(Chunk *C, const TreeCopy &Tree, char *To) {
  memcpy(To, C, C->size);
  char *First = To + sizeof(Chunk);
  if (C->type == LOOPSCOPE_CHUNK_NODES) {
    memcpy(First, Tree.recordsOf(C), uint64_t(C->capacity) * C->entry_size);
    return;
  }
  if (C->type == LOOPSCOPE_CHUNK_THREADS) {
    for (uint32_t I = 0; I < C->capacity; ++I) {
      auto *T = reinterpret_cast<loopscope_profile_thread *>(
          First + uint64_t(I) * C->entry_size);
      uint64_t Moment = T->state == 1 ? Tree.momentOf(T->index) : 0;
      if (Moment != 0)
        T->last_ticks = Moment;
    }
    return;
  }
  const GuardedType *Guard = guardOf(C);
  for (uint32_t I = 0; I < C->used; ++I) {
    const char *Entry = entries(C) + uint64_t(I) * C->entry_size;
    loopscope::profile_copy::copyStable(
        *reinterpret_cast<const uint32_t *>(Entry + Guard->Sequence), [&] {
          memcpy(First + uint64_t(I) * C->entry_size, Entry, C->entry_size);
        });
  }
}

bool writeChunk(int File, Chunk *C, const TreeCopy &Tree) {
  if (!isLive(C))
    return writeAll(File, C, C->size, chunkOffset(C));
  auto *Copy = static_cast<char *>(mapMemory(C->size));
  if (Copy == nullptr) {
    errno = ENOMEM;
    return false;
  }
  copyStableChunk(C, Tree, Copy);
  bool IsWritten = writeAll(File, Copy, C->size, chunkOffset(C));
  int Error = errno;
  munmap(Copy, C->size);
  errno = Error;
  return IsWritten;
}

bool writeHeader(int File, uint64_t Ticks) {
  union {
    loopscope_profile_header Head;
    char Bytes[LOOPSCOPE_PROFILE_PAGE];
  } Page;
  memcpy(Page.Bytes, Header, sizeof(Page.Bytes));
  Page.Head.flags |= LOOPSCOPE_FLAG_PART;
  Page.Head.flags &= ~uint32_t(LOOPSCOPE_FLAG_ANONYMOUS);
  Page.Head.end_ticks = Ticks;
  return writeAll(File, Page.Bytes, sizeof(Page.Bytes), 0);
}

// When the main thread's tree was as it is in the copy: that is the part's end.
uint64_t momentOfMain(const TreeCopy &Tree) {
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
    for (uint32_t I = 0; C->type == LOOPSCOPE_CHUNK_THREADS && I < C->capacity;
         ++I) {
      const auto *T = reinterpret_cast<const loopscope_profile_thread *>(
          entries(C) + uint64_t(I) * C->entry_size);
      if (T->state == 1 && T->is_main != 0 && Tree.momentOf(T->index) != 0)
        return Tree.momentOf(T->index);
    }
  return now();
}

// The header comes last: whoever finds it finds everything. TICKS is when the
// part ended. Lock held.
bool writePart(int File, uint64_t &Ticks) {
  // First of all: threads that have read the clock may be waiting for the lock.
  TreeCopy Tree;
  if (!Tree) {
    errno = ENOMEM;
    return false;
  }
  Tree.take();
  Ticks = momentOfMain(Tree);
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C))
    if (!writeChunk(File, C, Tree))
      return false;
  return writeHeader(File, Ticks);
}

// The name of the next part: "train.part1.loopscope".
void appendPartName(Text &Path) {
  const char *Whole = profilePath();
  size_t Stem = stemLength(Whole);
  Path.append(Whole, Stem) << ".part" << static_cast<int64_t>(Parts->used) + 1
                           << (Whole + Stem);
}

// Makes the file of the next part, NAME, which ended at TICKS. False: errno has
// the reason. Lock held.
bool makePart(uint64_t &Ticks, Text &Name) {
  TextBuffer<1024> Wanted;
  appendPartName(Wanted);
  int Error = 0;
  int Nameless = createNameless(Wanted.c_str());
  int File =
      Nameless >= 0 ? Nameless : createFile(Wanted.c_str(), -1, Name, Error);
  if (File < 0) {
    errno = Error;
    return false;
  }
  bool IsMade = writePart(File, Ticks);
  Error = errno;
  if (IsMade && Nameless >= 0)
    IsMade = createFile(Wanted.c_str(), Nameless, Name, Error) >= 0;
  else if (!IsMade && Nameless < 0)
    unlink(Name.c_str());
  close(File);
  errno = Error;
  return IsMade;
}

void reportFailure(int Error, Text &Why) {
  Why << "loopscope_reset did nothing: no file can be made for what came "
         "before: "
      << reasonOf(Error);
}
} // namespace

bool loopscope::runtime::endPart(Text &Why) {
  SlowLock Lock;
  calibrate(*Header);
  if (Parts != nullptr && Parts->used == LOOPSCOPE_PARTS_BEFORE) {
    Why << "loopscope_reset did nothing: the run has "
        << static_cast<int64_t>(LOOPSCOPE_PARTS_BEFORE + 1) << " parts";
    return false;
  }
  if (profilePath()[0] == 0 || fileLoss() != Loss::None || !findFile()) {
    Why << "loopscope_reset did nothing: the profile has no file";
    return false;
  }
  if (roomFor(Parts, LOOPSCOPE_CHUNK_PARTS, 1, LOOPSCOPE_PARTS_BEFORE,
              sizeof(loopscope_part)) == nullptr) {
    reportFailure(ENOMEM, Why);
    return false;
  }
  TextBuffer<1024> Name;
  uint64_t Ticks = 0;
  if (!makePart(Ticks, Name)) {
    reportFailure(errno, Why);
    return false;
  }
  auto *New = reinterpret_cast<loopscope_part *>(entries(Parts)) + Parts->used;
  New->end_ticks = Ticks;
  if (!storeString(Name.c_str(), New->file)) {
    unlink(Name.c_str());
    reportFailure(ENOMEM, Why);
    return false;
  }
  publish(Parts, 1);
  return true;
}

void loopscope::runtime::resetParts() { Parts = nullptr; }
