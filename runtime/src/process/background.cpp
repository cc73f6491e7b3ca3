// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The background thread and its rounds.

#include "background.h"

#include "base/deferral.h"
#include "base/kernel_time.h"
#include "base/loaded.h"
#include "base/own_files.h"
#include "base/own_threads.h"
#include "base/slow_lock.h"
#include "base/system.h"
#include "facts.h"
#include "float_state.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"
#include "tree/extension.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t StopWaitNs = 100 * NsPerMs;

// The thread's state, and the futex that it and its stoppers sleep on. Called:
// it was woken between two rounds, and goes back to sleep afterwards.
enum State : uint32_t { Absent, Sleeping, Called, InRound, Stopping, Stopped };

struct BackgroundState {
  uint32_t State = Absent;
  uint64_t CalledCpuNs = 0; // used by the thread only
  int ExitCode = 0;         // the same
};
BackgroundState Background;

// Sleeps until the state differs from EXPECTED or CLOCK_MONOTONIC reaches
// UNTIL_NS; may wake up early.
void sleepOn(uint32_t Expected, uint64_t UntilNs) {
  timespec Until{static_cast<time_t>(UntilNs / NsPerSecond),
                 static_cast<long>(UntilNs % NsPerSecond)};
  syscall(SYS_futex, &Background.State, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
          Expected, &Until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void wakeAll() {
  syscall(SYS_futex, &Background.State, FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
          INT32_MAX, nullptr, nullptr, 0);
}

uint32_t state() {
  return __atomic_load_n(&Background.State, __ATOMIC_ACQUIRE);
}

bool change(uint32_t From, uint32_t To) {
  return __atomic_compare_exchange_n(&Background.State, &From, To, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void setStopped() {
  __atomic_store_n(&Background.State, uint32_t(Stopped), __ATOMIC_RELEASE);
}

// Announces that the thread uses nothing any more; returns run()'s result.
void *stopped() {
  setStopped();
  wakeAll();
  return nullptr;
}

// Runs one round. False: no more rounds.
bool tick() {
  setBusErrorMask();
  lookAtFile();
  if (fileLoss() == Loss::Lost)
    return false;
  for (const Extension *Each : Extensions)
    if (Each->Tick != nullptr && !Each->Tick())
      return false;
  return true;
}

// Runs what was called for until it is done or the thread must stop.
void work() {
  uint64_t Before = threadCpuNs();
  for (const Extension *Each : Extensions)
    while (Each->Called != nullptr && Each->Called() && state() == Called)
      ;
  Background.CalledCpuNs += threadCpuNs() - Before;
}

// When the next call of Timed is due.
uint64_t timedAt() {
  uint64_t Earliest = UINT64_MAX;
  for (const Extension *Each : Extensions)
    if (uint64_t At = Each->TimedAt == nullptr ? UINT64_MAX : Each->TimedAt();
        At < Earliest)
      Earliest = At;
  return Earliest;
}

void runTimed() {
  for (const Extension *Each : Extensions)
    if (Each->TimedAt != nullptr && Each->TimedAt() <= monotonicNs())
      Each->Timed();
}

void runRounds() {
  uint64_t Interval = Process.Settings.RoundMs * NsPerMs;
  prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(Interval / 100));
  callExtensions(&Extension::BackgroundStarted);
  uint64_t Due = monotonicNs() + Interval;
  for (;;) {
    uint64_t Timed = timedAt();
    uint64_t Wake = Timed < Due ? Timed : Due;
    sleepOn(Sleeping, Wake);
    uint32_t State = state();
    if (State == Called) {
      work();
      if (!change(Called, Sleeping))
        return;
      continue;
    }
    if (monotonicNs() < Wake && State == Sleeping)
      continue;
    if (!change(Sleeping, InRound)) {
      // Called during the round, or told to stop.
      if (state() == Called)
        continue;
      return;
    }
    bool IsRound = monotonicNs() >= Due;
    bool GoOn = !IsRound || tick();
    if (GoOn)
      runTimed();
    if (!GoOn || !change(InRound, Sleeping))
      return;
    if (!IsRound)
      continue;
    // Rounds missed during a pause (a stopped process, a suspended machine)
    // aren't caught up.
    Due += Interval;
    if (uint64_t Ns = monotonicNs(); Due < Ns)
      Due = Ns + Interval;
  }
}

void *run(void * /*Unused*/) {
  noteOwnThread();
  neverInterrupted();
  prctl(PR_SET_NAME, "loopscope");
  resetFloats(); // the creator's traps are inherited
  // The second thread, which touches no page of the file, blocks SIGBUS, too.
  bool HasOwnFiles = startOwnFiles();
  setBusErrorMask();
  if (HasOwnFiles || Process.Settings.RoundsGiven)
    runRounds();
  else
    noteMissingSamples("the kernel refuses the sampler a table of file "
                       "descriptors of its own (close_range, unshare); "
                       "devices=250 samples without one");
  stopOwnFiles();
  int ExitCode = Background.ExitCode;
  void *Result = stopped();
  // A main thread that left by the system call exit(), as a child of clone()
  // does at the end of its function, has told the process's exit code, but the
  // kernel takes the last thread's.
  if (ExitCode != 0)
    syscall(SYS_exit, ExitCode);
  return Result;
}

// The function that makes the program fail if there is a second thread, or
// null.
const char *functionForOneThread() {
  static constexpr const char *Functions[] = {"unshare", "setns"};
  for (const char *Each : Functions)
    if (isImported(Each))
      return Each;
  return nullptr;
}
} // namespace

int loopscope::runtime::createOwnThread(void *(*Function)(void *)) {
  // For NVML's and CUPTI's start-up, too.
  constexpr size_t Room = 1U << 20;
  sigset_t All;
  sigset_t Saved;
  sigfillset(&All);
  pthread_attr_t Attributes;
  if (int Error = pthread_attr_init(&Attributes); Error != 0)
    return Error;
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  // Without the priority of a real-time program.
  pthread_attr_setinheritsched(&Attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_sigmask(SIG_SETMASK, &All, &Saved);
  pthread_attr_setstacksize(&Attributes, stackSize(Room));
  pthread_t Thread;
  int Error = pthread_create(&Thread, &Attributes, Function, nullptr);
  pthread_sigmask(SIG_SETMASK, &Saved, nullptr);
  pthread_attr_destroy(&Attributes);
  return Error;
}

const char *loopscope::runtime::forbidsThread() {
  return Process.Settings.RoundsGiven ? nullptr : functionForOneThread();
}

void loopscope::runtime::startBackground() {
  if (Process.Settings.RoundMs == 0 || !change(Absent, Sleeping))
    return;
  const char *Against = forbidsThread();
  TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
  if (Against != nullptr) {
    setStopped();
    Note << "the program uses " << Against
         << ", which tolerates no second thread; devices=250 starts one anyway";
    noteMissingSamples(Note.c_str());
    return;
  }
  int Saved = errno;
  Background.CalledCpuNs = 0;
  int Error = createOwnThread(run);
  if (Error == 0) {
    Header->sampler_ms = static_cast<uint32_t>(Process.Settings.RoundMs);
  } else {
    setStopped();
    Note << "the sampler's thread could not be started: "
         << strerrordesc_np(Error);
    noteMissingSamples(Note.c_str());
  }
  errno = Saved;
}

void loopscope::runtime::callBackground() {
  if (change(Sleeping, Called))
    wakeAll();
}

void loopscope::runtime::tellBackgroundToStop() {
  for (;;) {
    if (change(Sleeping, Stopped)) {
      wakeAll();
      return;
    }
    uint32_t State = state();
    bool IsBusy = State == InRound || State == Called;
    if ((IsBusy && change(State, Stopping)) || (State != Sleeping && !IsBusy))
      return;
  }
}

void loopscope::runtime::stopBackground() {
  int Saved = errno;
  tellBackgroundToStop();
  uint64_t Until = monotonicNs() + StopWaitNs;
  while (state() == Stopping && monotonicNs() < Until)
    sleepOn(Stopping, Until);
  errno = Saved;
}

void loopscope::runtime::endBackgroundWith(int Code) {
  Background.ExitCode = Code;
}

// The thread's clock starts with the thread.
uint64_t loopscope::runtime::roundsCpuNs() {
  return threadCpuNs() + ownFilesCpuNs() - Background.CalledCpuNs;
}

void loopscope::runtime::noteMissingSamples(const char *What) {
  SlowLock Lock;
  Text Note(Header->sampler_note, sizeof(Header->sampler_note));
  Note << What;
}

void loopscope::runtime::resetBackground() {
  Background = {};
  resetOwnThreads();
  resetOwnFiles();
}
