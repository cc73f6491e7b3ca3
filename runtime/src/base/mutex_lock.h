// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex held for a scope.

#ifndef LOOPSCOPE_BASE_MUTEX_LOCK_H
#define LOOPSCOPE_BASE_MUTEX_LOCK_H

#include <pthread.h>

namespace loopscope::runtime {

/// Holds a mutex while it lives.
class MutexLock {
public:
  explicit MutexLock(pthread_mutex_t &Mutex) : Mutex(Mutex) {
    pthread_mutex_lock(&Mutex);
  }
  ~MutexLock() { pthread_mutex_unlock(&Mutex); }
  MutexLock(const MutexLock &) = delete;
  MutexLock &operator=(const MutexLock &) = delete;

private:
  pthread_mutex_t &Mutex;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_MUTEX_LOCK_H
