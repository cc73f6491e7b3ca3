// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the kernel's figures.

#include "usage.h"

#include "profile/sums.h"

#include <loopscope/named_losses.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t Parts = static_cast<uint32_t>(Unreadable::Count);

// The counter of each part.
constexpr loopscope_named_loss Counters[Parts] = {LOOPSCOPE_COUNT_NO_CPU_CLOCK,
                                                  LOOPSCOPE_COUNT_NO_CPU_FAULTS,
                                                  LOOPSCOPE_COUNT_NO_RUN_QUEUE};
bool Refused[Parts];

void refuse(Unreadable Part) {
  auto I = static_cast<uint32_t>(Part);
  if (!__atomic_exchange_n(&Refused[I], true, __ATOMIC_RELAXED))
    addToCounter(Counters[I], 1);
}

// The second number in the thread's schedstat. False if it is missing now.
bool readStarved(uint64_t &Ns) {
  char Buffer[64];
  int File = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (File < 0) {
    // File descriptors may be available later.
    if (errno != EMFILE && errno != ENFILE)
      refuse(Unreadable::Starved);
    return false;
  }
  ssize_t Size = read(File, Buffer, sizeof(Buffer) - 1);
  close(File);
  if (Size <= 0) {
    refuse(Unreadable::Starved);
    return false;
  }
  Buffer[Size] = 0;
  const char *At = Buffer;
  while (*At >= '0' && *At <= '9')
    ++At;
  if (*At != ' ' || At[1] < '0' || At[1] > '9') {
    refuse(Unreadable::Starved);
    return false;
  }
  ++At;
  for (Ns = 0; *At >= '0' && *At <= '9'; ++At)
    Ns = Ns * 10 + static_cast<uint64_t>(*At - '0');
  return true;
}

bool readClock(clockid_t Which, uint64_t &Ns) {
  timespec Time{};
  if (syscall(SYS_clock_gettime, Which, &Time) != 0)
    return false;
  Ns = static_cast<uint64_t>(Time.tv_sec) * 1000000000U +
       static_cast<uint64_t>(Time.tv_nsec);
  return true;
}

template <typename Function>
Usage combine(const Usage &A, const Usage &B, Function Of) {
  Usage Result;
  Result.CpuNs = Of(A.CpuNs, B.CpuNs);
  Result.HasFaults = A.HasFaults && B.HasFaults;
  if (Result.HasFaults) {
    Result.MinorFaults = Of(A.MinorFaults, B.MinorFaults);
    Result.MajorFaults = Of(A.MajorFaults, B.MajorFaults);
    Result.Voluntary = Of(A.Voluntary, B.Voluntary);
    Result.Involuntary = Of(A.Involuntary, B.Involuntary);
  }
  Result.HasStarved = A.HasStarved && B.HasStarved;
  if (Result.HasStarved) {
    Result.StarvedNs = Of(A.StarvedNs, B.StarvedNs);
    Result.OthersNs = Of(A.OthersNs, B.OthersNs);
  }
  return Result;
}
} // namespace

Usage loopscope::runtime::operator-(const Usage &Now, const Usage &Before) {
  return combine(Now, Before, [](uint64_t After, uint64_t Start) {
    return After > Start ? After - Start : 0;
  });
}

Usage loopscope::runtime::operator+(const Usage &One, const Usage &Other) {
  return combine(One, Other, [](uint64_t A, uint64_t B) { return A + B; });
}

bool loopscope::runtime::readUsage(Usage &Into, bool WithStarved) {
  Into = {};
  if (WithStarved && !isUnreadable(Unreadable::Starved))
    Into.HasStarved = readStarved(Into.StarvedNs);
  if (!isUnreadable(Unreadable::Faults)) {
    rusage Own{};
    if (syscall(SYS_getrusage, RUSAGE_THREAD, &Own) == 0) {
      Into.MinorFaults = static_cast<uint64_t>(Own.ru_minflt);
      Into.MajorFaults = static_cast<uint64_t>(Own.ru_majflt);
      Into.Voluntary = static_cast<uint64_t>(Own.ru_nvcsw);
      Into.Involuntary = static_cast<uint64_t>(Own.ru_nivcsw);
      Into.HasFaults = true;
    } else {
      refuse(Unreadable::Faults);
    }
  }
  // Adds up all threads, so it has its place in the expensive part.
  uint64_t Process = 0;
  if (Into.HasStarved)
    readClock(CLOCK_PROCESS_CPUTIME_ID, Process);
  if (!readClock(CLOCK_THREAD_CPUTIME_ID, Into.CpuNs)) {
    refuse(Unreadable::Clock);
    return false;
  }
  Into.OthersNs = Process > Into.CpuNs ? Process - Into.CpuNs : 0;
  return true;
}

bool loopscope::runtime::isUnreadable(Unreadable Part) {
  return __atomic_load_n(&Refused[static_cast<uint32_t>(Part)],
                         __ATOMIC_RELAXED);
}

void loopscope::runtime::registerUnreadable() {
  for (loopscope_named_loss Each : Counters)
    registerCounter(Each);
}

void loopscope::runtime::resetUnreadable() {
  for (bool &Each : Refused)
    Each = false;
}
