// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that watches the process's clock of processor time. It ends when
// the profile begins. While the process waits for others, as shells do, it
// looks ever less often.

#include "program.h"

#include "background.h"
#include "base/deferral.h"
#include "base/kernel_time.h"
#include "base/own_threads.h"
#include "base/thread_memory.h"
#include "facts.h"
#include "float_state.h"

#include <loopscope/run_settings.h>

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t WorthwhileNs = LOOPSCOPE_WORTHWHILE_CPU_MS * NsPerMs;
constexpr uint64_t LookNs = 20 * NsPerMs;
constexpr uint64_t LongestWaitNs = 640 * NsPerMs; // while it is idle
constexpr uint64_t StopWaitNs = 100 * NsPerMs;

enum State : uint32_t { Absent, Watching, Beginning, Over };
uint32_t Watch = Absent; // also a futex
void (*Begin)();         // of watchProgram()

bool change(uint32_t From, uint32_t To) {
  return __atomic_compare_exchange_n(&Watch, &From, To, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

uint32_t state() { return __atomic_load_n(&Watch, __ATOMIC_ACQUIRE); }

void setOver() {
  __atomic_store_n(&Watch, uint32_t(Over), __ATOMIC_RELEASE);
  syscall(SYS_futex, &Watch, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX,
          nullptr, nullptr, 0);
}

// Sleeps for NS, or until the state differs from EXPECTED.
void sleepWhile(uint32_t Expected, uint64_t Ns) {
  timespec Time{static_cast<time_t>(Ns / NsPerSecond),
                static_cast<long>(Ns % NsPerSecond)};
  syscall(SYS_futex, &Watch, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, Expected, &Time,
          nullptr, 0);
}

uint64_t usedNs() {
  timespec Time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time) != 0)
    return 0;
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

void *run(void * /*Unused*/) {
  noteOwnThread();
  neverInterrupted();
  prctl(PR_SET_NAME, "loopscope");
  resetFloats(); // the creator's traps are inherited
  uint64_t Used = usedNs();
  for (uint64_t Wait = LookNs; state() == Watching && Used < WorthwhileNs;) {
    sleepWhile(Watching, Wait);
    uint64_t Last = Used;
    Used = usedNs();
    bool IsIdle = Used - Last < Wait / 64;
    Wait = IsIdle ? (Wait < LongestWaitNs ? 2 * Wait : Wait) : LookNs;
  }
  if (!change(Watching, Beginning))
    return nullptr;
  Begin();
  setOver();
  return nullptr;
}
} // namespace

void loopscope::runtime::watchProgram(void (*ToBegin)()) {
  Begin = ToBegin;
  if (Process.Settings.RoundMs == 0 || forbidsThread() != nullptr ||
      !change(Absent, Watching))
    return;
  // So that the main thread's end is noticed (detach.cpp).
  ownMemory();
  if (createOwnThread(run) != 0)
    change(Watching, Over);
}

void loopscope::runtime::endWatch() {
  if (change(Watching, Over))
    return;
  uint64_t Until = monotonicNs() + StopWaitNs;
  while (state() == Beginning && monotonicNs() < Until)
    sleepWhile(Beginning, StopWaitNs);
}

void loopscope::runtime::resetWatch() {
  if (Watch != Absent)
    Watch = Over;
}
