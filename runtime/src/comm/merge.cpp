// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the ranks' profiles, called by the wrapper of MPI_Finalize
// (loopscope/mpi.h). One thread, once per process.

#pragma GCC visibility push(default)
#include <loopscope/mpi.h>
#pragma GCC visibility pop

#include "arrivals.h"
#include "extension.h"
#include "merged_file.h"
#include "mpi.h"
#include "summary.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/system.h"
#include "process/facts.h"
#include "process/process.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "tree/costs.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/tree.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

MergeSettings loopscope::runtime::Merging;

namespace {
struct MergeState {
  uint32_t Ranks;
  uint64_t Taken; // ticks of our own work
  Arrivals Others;
  ProfileCopy Copy;
  ProfileCopy Base;
  RankTimes *Times; // rank 0, of a summary
  bool IsOpen;      // rank 0's file is open
  bool HasFailed;
  MergedFile File;
};
MergeState State;

// Counts what we do as our cost. Waiting for others is none, and theirs isn't
// known.
class OwnWork {
public:
  OwnWork() : Began(now()) {}
  ~OwnWork() { State.Taken += elapsed(Began, now()); }
  OwnWork(const OwnWork &) = delete;
  OwnWork &operator=(const OwnWork &) = delete;

private:
  uint64_t Began;
};

void warnOnce(const Text &Why) {
  if (Why.size() != 0)
    warn(Why.c_str());
}

loopscope_copy given(const ProfileCopy &Copy) {
  return {Copy.Bytes, Copy.Size};
}

// Sleeps for a short time, longer after many IDLE rounds. Ranks that share
// processors leave them to those that aren't done.
void nap(unsigned Idle) {
  constexpr unsigned Spins = 100;
  constexpr long NapNs = 200000;
  constexpr long LongestNapNs = 5000000;
  if (Idle < Spins) {
    sched_yield();
    return;
  }
  long Ns = NapNs * static_cast<long>(1 + (Idle - Spins) / Spins);
  timespec Nap{0, Ns < LongestNapNs ? Ns : LongestNapNs};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &Nap, nullptr);
}

// Keeps the own times of a packed copy, for chooseWhole().
void noteTimes(uint32_t Rank, const void *Bytes, uint64_t Count) {
  loopscope_packed_profile Head;
  if (State.Times == nullptr || Rank >= State.Ranks || Count < sizeof(Head))
    return;
  memcpy(&Head, Bytes, sizeof(Head));
  State.Times[Rank] = {Head.own_ns, Head.longest_ns};
}
} // namespace

int __loopscope_merge_begin(int Ranks) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeBegin(Ranks);
  if (Ranks < 2 || Merging.Keeps == Keep::Ranks || !__loopscope_mpi_records())
    return 0;
  SlowPath Path(false);
  if (!Path || !ensureProfile())
    return 0;
  State.Ranks = static_cast<uint32_t>(Ranks);
  State.Others.begin(State.Ranks);
  return 1;
}

int __loopscope_merge_awaits(uint64_t *Since, unsigned Idle) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeAwaits(Since, Idle);
  uint64_t Now = monotonicNs();
  if (*Since == 0)
    *Since = Now;
  {
    SlowPath Path(false);
    if (!Path || !State.Others.isWorthwhile(Now - *Since))
      return 0;
  }
  nap(Idle);
  return 1;
}

loopscope_copy __loopscope_merge_base() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeBase();
  SlowPath Path(false);
  if (!Path || !isSummary(Merging.Ranks, State.Ranks))
    return {};
  OwnWork Cost;
  State.Times =
      static_cast<RankTimes *>(mapMemory(State.Ranks * sizeof(RankTimes)));
  if (State.Times != nullptr)
    State.Base = makeBase(State.Ranks);
  return given(State.Base);
}

loopscope_copy __loopscope_merge_packed(loopscope_copy Base) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergePacked(Base);
  SlowPath Path(false);
  OwnWork Cost;
  State.Copy.release();
  if (Path)
    State.Copy = packBriefly({static_cast<const char *>(Base.bytes), Base.size},
                             State.Ranks);
  return given(State.Copy);
}

loopscope_copy __loopscope_merge_copy() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeCopy();
  SlowPath Path(false);
  OwnWork Cost;
  State.Copy.release();
  if (Path)
    State.Copy = copyProfile(State.Ranks);
  return given(State.Copy);
}

void __loopscope_merge_place(int Rank, uint64_t Size, uint64_t Offset,
                             const void *Bytes, uint64_t Count) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergePlace(Rank, Size, Offset, Bytes, Count);
  SlowPath Path(false);
  if (!Path || State.HasFailed)
    return;
  OwnWork Cost;
  TextBuffer<1400> Why;
  if (!State.IsOpen)
    State.HasFailed = !State.File.open(
        State.Ranks,
        Merging.Path[0] == 0 ? Process.Settings.Output : Merging.Path,
        State.Base, Why);
  State.IsOpen = !State.HasFailed;
  if (State.IsOpen)
    State.HasFailed =
        !State.File.add({static_cast<uint32_t>(Rank), Size, Offset,
                         static_cast<const char *>(Bytes), Count},
                        Why);
  if (Offset == 0)
    noteTimes(static_cast<uint32_t>(Rank), Bytes, Count);
  warnOnce(Why);
}

uint32_t __loopscope_merge_chosen(uint32_t *Ranks) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeChosen(Ranks);
  if (State.Times == nullptr || State.HasFailed)
    return 0;
  OwnWork Cost;
  return chooseWhole(State.Times, State.Ranks, Ranks);
}

int __loopscope_merge_whole() noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeWhole();
  OwnWork Cost;
  uint32_t Whole = State.File.finish();
  if (Whole == 0 || State.HasFailed)
    return 0;
  memcpy(Process.Merged, State.File.path(), sizeof(Process.Merged));
  return Whole == State.Ranks ? 1 : 0;
}

void __loopscope_merge_end(int IsWhole) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeEnd(IsWhole);
  State.Copy.release();
  Process.MayRemove = IsWhole == 1 && Merging.Keeps == Keep::Merged;
  if (IsWhole == LOOPSCOPE_MERGE_ABSENT) {
    TextBuffer<1400> Why;
    State.Others.explain(Why);
    warnOnce(Why);
  }
  if (Thread *T = ownTree())
    bookCost(registerSum(CommExtension.CostKey, LOOPSCOPE_SUM_TICKS),
             links(T).Current, State.Taken);
}

int __loopscope_merge_wait(uint64_t *Since, int Seconds,
                           unsigned Idle) noexcept {
  uint64_t Now = monotonicNs();
  if (*Since == 0)
    *Since = Now;
  if (Now - *Since > static_cast<uint64_t>(Seconds) * 1000000000)
    return 0;
  nap(Idle);
  return 1;
}

void *__loopscope_mpi_memory(uint64_t Size) noexcept { return mapMemory(Size); }

void __loopscope_mpi_free(void *Memory, uint64_t Size) noexcept {
  munmap(Memory, Size);
}
