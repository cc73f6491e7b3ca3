// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock of all slow paths.

#ifndef LOOPSCOPE_BASE_SLOW_LOCK_H
#define LOOPSCOPE_BASE_SLOW_LOCK_H

namespace loopscope::runtime {

/// Guards chunks, sites and the list of threads. Held across fork(). Signals
/// are deferred while a thread waits for it and holds it (deferral.h), so that
/// it is never left behind.
class SlowLock {
public:
  enum Wait { UntilFree, IfFree };
  explicit SlowLock(Wait How = UntilFree);
  ~SlowLock();
  /// False: another thread holds it, and IfFree was requested.
  explicit operator bool() const { return Locked; }
  SlowLock(const SlowLock &) = delete;
  SlowLock &operator=(const SlowLock &) = delete;

private:
  bool Locked = true;
};

/// Take and release it around fork(). A handler of a fault in a slow path may
/// fork while its own thread holds the lock; then they do nothing.
void lockBeforeFork();
void unlockAfterFork();

/// Releases the lock if the calling thread holds it: for a slow path that was
/// left by a jump out of a fault's handler.
void dropSlowLock();

/// For a handler that blocks all signals: takes the lock if it gets free within
/// some 20 ms. True: dropSlowLock() must follow. False also if the calling
/// thread holds it already.
bool lockSoon();

/// For a forked child, whose only thread is the caller.
void resetSlowLock();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_SLOW_LOCK_H
