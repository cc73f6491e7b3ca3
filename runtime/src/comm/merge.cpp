// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the ranks' profiles, called by the wrapper of MPI_Finalize
// (loopscope/mpi.h). One thread, once per process.

#pragma GCC visibility push(default)
#include <loopscope/mpi.h>
#pragma GCC visibility pop

#include "collectives.h"
#include "extension.h"
#include "merged_file.h"
#include "mpi.h"

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

Keep loopscope::runtime::Keeps = Keep::All;

namespace {
struct MergeState {
  int Ranks;
  uint64_t Began; // ticks
  ProfileCopy Copy;
  bool IsOpen; // rank 0's file is open
  bool HasFailed;
  MergedFile File;
};
MergeState State;

void warnOnce(const Text &Why) {
  if (Why.size() != 0)
    warn(Why.c_str());
}
} // namespace

const void *__loopscope_merge_begin(int Ranks, uint64_t *Size) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeBegin(Ranks, Size);
  if (Ranks < 2 || Keeps == Keep::Ranks || !__loopscope_mpi_records())
    return nullptr;
  State.Began = now();
  SlowPath Path(false);
  if (!Path || !ensureProfile())
    return nullptr;
  State.Ranks = Ranks;
  State.Copy = copyProfile(static_cast<uint64_t>(Ranks));
  *Size = State.Copy.Size;
  return State.Copy.Bytes;
}

void __loopscope_merge_place(int Rank, uint64_t Size, uint64_t Offset,
                             const void *Bytes, uint64_t Count) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergePlace(Rank, Size, Offset, Bytes, Count);
  SlowPath Path(false);
  if (!Path || State.HasFailed)
    return;
  TextBuffer<1400> Why;
  if (!State.IsOpen)
    State.HasFailed = !State.File.open(static_cast<uint32_t>(State.Ranks), Why);
  State.IsOpen = !State.HasFailed;
  if (State.IsOpen)
    State.HasFailed =
        !State.File.add({static_cast<uint32_t>(Rank), Size, Offset,
                         static_cast<const char *>(Bytes), Count},
                        Why);
  warnOnce(Why);
}

int __loopscope_merge_whole(void) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeWhole();
  uint32_t Whole = State.File.finish();
  if (Whole == 0 || State.HasFailed)
    return 0;
  memcpy(Process.Merged, State.File.path(), sizeof(Process.Merged));
  return Whole == static_cast<uint32_t>(State.Ranks) ? 1 : 0;
}

void __loopscope_merge_end(int IsWhole) noexcept {
  if (const MpiServices *Other = otherMpi())
    return Other->MergeEnd(IsWhole);
  if (State.Copy.Bytes != nullptr)
    munmap(State.Copy.Bytes, State.Copy.Size);
  Process.MayRemove = IsWhole != 0 && Keeps == Keep::Merged;
  if (Thread *T = ownTree())
    bookCost(registerSum(CommExtension.CostKey, LOOPSCOPE_SUM_TICKS),
             links(T).Current, elapsed(State.Began, now()));
}

int __loopscope_merge_wait(uint64_t *Since, int Seconds,
                           unsigned Idle) noexcept {
  constexpr unsigned Spins = 1000;
  constexpr long NapNs = 200000;
  timespec Now{};
  clock_gettime(CLOCK_MONOTONIC, &Now);
  auto Ns = static_cast<uint64_t>(Now.tv_sec) * 1000000000 +
            static_cast<uint64_t>(Now.tv_nsec);
  if (*Since == 0)
    *Since = Ns;
  if (Ns - *Since > static_cast<uint64_t>(Seconds) * 1000000000)
    return 0;
  if (Idle < Spins) {
    sched_yield();
  } else {
    timespec Nap{0, NapNs};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &Nap, nullptr);
  }
  return 1;
}

void *__loopscope_mpi_memory(uint64_t Size) noexcept { return mapMemory(Size); }

void __loopscope_mpi_free(void *Memory, uint64_t Size) noexcept {
  munmap(Memory, Size);
}
