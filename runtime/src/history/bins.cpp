// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bins grow, are added, and are merged when there is no room for more.

#include "bins.h"

#include "base/slow_lock.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"

using namespace loopscope::runtime;

// A file that was truncated must be noticed before it grows. On this thread,
// because the one that opens files has no standard error.
Chunk *loopscope::runtime::addPlaces(loopscope_chunk_type Type,
                                     uint32_t Capacity, uint32_t EntrySize) {
  lookAtFile();
  if (fileLoss() == Loss::Lost)
    return nullptr;
  SlowLock Lock;
  Chunk *New = addChunk(Type, 0, Capacity, EntrySize, 0);
  if (New != nullptr)
    publish(New, Capacity);
  return New;
}

bool HistoryBins::prepare(uint64_t Began, uint64_t Now) {
  uint64_t Begin = Used == 0 ? Began : last().end_ticks;
  bool IsFull = Used != 0 && Begin - last().begin_ticks >= WidthTicks;
  if (Used != 0 && !IsFull)
    return true;
  if (Used == LOOPSCOPE_HISTORY_BINS)
    fold();
  if (!Bins.reach(LOOPSCOPE_CHUNK_HISTORY, Used))
    return false;
  loopscope_history_bin &New = *Bins.at(Used++);
  New.begin_ticks = Begin;
  __atomic_store_n(&New.end_ticks, Now, __ATOMIC_RELEASE);
  return true;
}

// Nobody copies the profile meanwhile (profile_copy.h).
void HistoryBins::fold() {
  SlowLock Lock;
  for (auto &Each : Steps)
    Each.fold(Used);
  Bins.fold(Used);
  Used /= 2;
  WidthTicks *= 2;
}

loopscope_history_steps *HistoryBins::stepsOf(uint32_t Loop, uint32_t Lane) {
  if (!Steps[Loop].reach(LOOPSCOPE_CHUNK_HISTORY_STEPS, Used - 1))
    return nullptr;
  loopscope_history_steps &Record = *Steps[Loop].at(Used - 1);
  Record.lane = static_cast<uint8_t>(Lane);
  Record.begin_ticks = last().begin_ticks;
  __atomic_store_n(&Record.end_ticks, last().end_ticks, __ATOMIC_RELEASE);
  return &Record;
}

void HistoryBins::extend(uint64_t Now) {
  for (auto &Each : Steps)
    if (auto *Its = Each.at(Used - 1); Its != nullptr && Its->end_ticks != 0)
      __atomic_store_n(&Its->end_ticks, Now, __ATOMIC_RELEASE);
  __atomic_store_n(&last().end_ticks, Now, __ATOMIC_RELEASE);
}

void HistoryBins::takeBack(uint32_t Lane, uint64_t Ticks) {
  for (uint32_t I = Used; I != 0 && Ticks != 0; --I) {
    uint64_t &In = Bins.at(I - 1)->ticks[Lane];
    uint64_t Part = In < Ticks ? In : Ticks;
    In -= Part;
    Ticks -= Part;
  }
}
