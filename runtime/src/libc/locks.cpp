// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes, condition variables and one-time initialisation on futexes, for the
// runtime only; see names.h. They use only the first word of libc's types,
// which static initialisers and ..._init() set to zero.

#include "system_call.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

using loopscope::runtime::systemCall;

namespace {
enum : uint32_t { Free, Held, Contended };
enum : uint32_t { Before, During, After };

template <typename T> uint32_t *wordOf(T *Object) {
  return reinterpret_cast<uint32_t *>(Object);
}

// Sleeps while *WORD is VALUE, at most until CLOCK_MONOTONIC reaches UNTIL.
// Returns an error number, or 0 if the word should be checked again.
int sleepWhile(uint32_t *Word, uint32_t Value,
               const struct timespec *Until = nullptr) {
  long Result =
      systemCall(SYS_futex, reinterpret_cast<long>(Word),
                 FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
                 static_cast<long>(Value), reinterpret_cast<long>(Until), 0,
                 static_cast<long>(FUTEX_BITSET_MATCH_ANY));
  return Result == -ETIMEDOUT ? ETIMEDOUT : 0;
}

void wake(uint32_t *Word, int Sleepers) {
  systemCall(SYS_futex, reinterpret_cast<long>(Word),
             FUTEX_WAKE | FUTEX_PRIVATE_FLAG, Sleepers);
}

bool change(uint32_t *Word, uint32_t From, uint32_t To) {
  return __atomic_compare_exchange_n(Word, &From, To, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}
} // namespace

extern "C" {
int loopscope_pthread_mutex_init_(pthread_mutex_t *Mutex,
                                  const pthread_mutexattr_t * /*Unused*/) {
  *wordOf(Mutex) = Free;
  return 0;
}

int loopscope_pthread_mutex_trylock_(pthread_mutex_t *Mutex) {
  return change(wordOf(Mutex), Free, Held) ? 0 : EBUSY;
}

int loopscope_pthread_mutex_lock_(pthread_mutex_t *Mutex) {
  uint32_t *Word = wordOf(Mutex);
  if (change(Word, Free, Held))
    return 0;
  while (__atomic_exchange_n(Word, uint32_t(Contended), __ATOMIC_ACQUIRE) !=
         Free)
    sleepWhile(Word, Contended);
  return 0;
}

int loopscope_pthread_mutex_unlock_(pthread_mutex_t *Mutex) {
  uint32_t *Word = wordOf(Mutex);
  if (__atomic_exchange_n(Word, uint32_t(Free), __ATOMIC_RELEASE) == Contended)
    wake(Word, 1);
  return 0;
}

// All our condition variables use CLOCK_MONOTONIC.
int loopscope_pthread_condattr_init_(pthread_condattr_t * /*Clock*/) {
  return 0;
}

int loopscope_pthread_condattr_setclock_(pthread_condattr_t * /*Clock*/,
                                         clockid_t /*Id*/) {
  return 0;
}

int loopscope_pthread_condattr_destroy_(pthread_condattr_t * /*Clock*/) {
  return 0;
}

int loopscope_pthread_cond_init_(pthread_cond_t *Condition,
                                 const pthread_condattr_t * /*Unused*/) {
  *wordOf(Condition) = 0;
  return 0;
}

int loopscope_pthread_cond_signal_(pthread_cond_t *Condition) {
  __atomic_fetch_add(wordOf(Condition), 1, __ATOMIC_RELAXED);
  wake(wordOf(Condition), 1);
  return 0;
}

int loopscope_pthread_cond_broadcast_(pthread_cond_t *Condition) {
  __atomic_fetch_add(wordOf(Condition), 1, __ATOMIC_RELAXED);
  wake(wordOf(Condition), INT32_MAX);
  return 0;
}

int loopscope_pthread_cond_timedwait_(pthread_cond_t *Condition,
                                      pthread_mutex_t *Mutex,
                                      const struct timespec *Until) {
  uint32_t Seen = __atomic_load_n(wordOf(Condition), __ATOMIC_RELAXED);
  loopscope_pthread_mutex_unlock_(Mutex);
  int Result = sleepWhile(wordOf(Condition), Seen, Until);
  loopscope_pthread_mutex_lock_(Mutex);
  return Result;
}

int loopscope_pthread_cond_wait_(pthread_cond_t *Condition,
                                 pthread_mutex_t *Mutex) {
  return loopscope_pthread_cond_timedwait_(Condition, Mutex, nullptr);
}

int loopscope_pthread_once_(pthread_once_t *Once, void (*Function)()) {
  uint32_t *Word = wordOf(Once);
  if (change(Word, Before, During)) {
    Function();
    __atomic_store_n(Word, uint32_t(After), __ATOMIC_RELEASE);
    wake(Word, INT32_MAX);
  }
  while (__atomic_load_n(Word, __ATOMIC_ACQUIRE) == During)
    sleepWhile(Word, During);
  return 0;
}
} // extern "C"
