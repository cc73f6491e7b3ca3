// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock of all slow paths, and who holds it.

#include "slow_lock.h"

#include "deferral.h"
#include "kernel_time.h"
#include "thread_memory.h"

#include <pthread.h>
#include <sched.h>

using namespace loopscope::runtime;

namespace {
struct LockState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  const ThreadState *Holder = nullptr; // no thread reads another's value
  bool IsForFork = false;              // held by lockBeforeFork()
};
constinit LockState State;

bool isHeldHere() {
  return __atomic_load_n(&State.Holder, __ATOMIC_RELAXED) == &ThisThread;
}

void setHolder(const ThreadState *Holder) {
  __atomic_store_n(&State.Holder, Holder, __ATOMIC_RELAXED);
}

void release() {
  setHolder(nullptr);
  pthread_mutex_unlock(&State.Mutex);
}
} // namespace

SlowLock::SlowLock(Wait How) {
  beginDeferral();
  if (How == UntilFree)
    pthread_mutex_lock(&State.Mutex);
  else
    Locked = pthread_mutex_trylock(&State.Mutex) == 0;
  if (Locked)
    setHolder(&ThisThread);
}

SlowLock::~SlowLock() {
  if (Locked)
    release();
  endDeferral();
}

void loopscope::runtime::lockBeforeFork() {
  beginDeferral();
  if (isHeldHere())
    return;
  pthread_mutex_lock(&State.Mutex);
  setHolder(&ThisThread);
  State.IsForFork = true;
}

void loopscope::runtime::unlockAfterFork() {
  if (State.IsForFork) {
    State.IsForFork = false;
    release();
  }
  endDeferral();
}

void loopscope::runtime::dropSlowLock() {
  if (isHeldHere())
    release();
}

bool loopscope::runtime::lockSoon() {
  constexpr uint64_t LongestNs = 20'000'000;
  if (isHeldHere())
    return false;
  uint64_t Start = monotonicNs();
  while (pthread_mutex_trylock(&State.Mutex) != 0) {
    if (monotonicNs() - Start > LongestNs)
      return false;
    sched_yield();
  }
  setHolder(&ThisThread);
  return true;
}

void loopscope::runtime::resetSlowLock() {
  pthread_mutex_init(&State.Mutex, nullptr);
  State.Holder = nullptr;
  State.IsForFork = false;
}
