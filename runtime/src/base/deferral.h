// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the runtime that a signal must not interrupt. A handler of the
// program may leave the interrupted code for good (siglongjmp, pthread_exit,
// cancellation), or fork and go on in the child; whatever the interrupted code
// had locked or half changed would stay so.

#ifndef LOOPSCOPE_BASE_DEFERRAL_H
#define LOOPSCOPE_BASE_DEFERRAL_H

#include <stdint.h>

namespace loopscope::runtime {

/// While one lives, signals wait that would reach the calling thread, also the
/// one that cancels it. Not deferred: faults of the thread's own instructions,
/// which can't wait, and libc's signal for setuid(), whose handler returns and
/// which other threads wait for. They nest. Two system calls; none on threads
/// that called neverInterrupted().
class Deferral {
public:
  Deferral();
  ~Deferral();
  Deferral(const Deferral &) = delete;
  Deferral &operator=(const Deferral &) = delete;
};

/// The same without a scope, for what begins and ends in different functions.
void beginDeferral();
void endDeferral();

/// The calling thread is the runtime's own and has blocked all signals.
void neverInterrupted();

/// Touches the stack that a slow path needs, so that a stack overflow, which a
/// program may survive by a handler, comes before anything is locked or half
/// changed.
void reserveStack();
/// The same for making the profile.
void reserveStackForProfile();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_DEFERRAL_H
