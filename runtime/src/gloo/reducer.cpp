// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data parallel training waits for its gradients in LibTorch's
// c10d::Reducer::finalize_backward, at a future of its own, by libstdc++'s
// condition variable: there is no function of LibTorch's to put ours in front
// of. For preloaded libraries only, which come before libstdc++.
//
// Everybody else's waits pass through. What they do is fixed, because programs
// have the types in their own code: the C library's condition variable is the
// first member of std::condition_variable, the address of the mutex that of
// std::unique_lock<std::mutex>.

#include "calls.h"

#include <loopscope/profile_format.h>

#include <pthread.h>

using namespace loopscope::gloo;

extern "C" __attribute__((noinline, visibility("default"))) void
loopscopeWaitForCondition(
    pthread_cond_t *Condition,
    pthread_mutex_t **Lock) __asm__("_ZNSt18condition_"
                                    "variable4waitERSt11unique_lockISt5mutexE");

// noinline: the caller's frame must be this function's own.
static __attribute__((noinline)) void waitInReducer(pthread_cond_t *Condition,
                                                    pthread_mutex_t **Lock) {
  LOOPSCOPE_GLOO_UNWINDS;
  static constexpr loopscope_site Site = {LOOPSCOPE_SITE_ABI,
                                          LOOPSCOPE_KIND_WAIT,
                                          0,
                                          "c10d::Reducer::finalize_backward",
                                          "",
                                          ""};
  Call Around(&Site);
  pthread_cond_wait(Condition, *Lock);
  Around.end();
}

void loopscopeWaitForCondition(pthread_cond_t *Condition,
                               pthread_mutex_t **Lock) {
  if (isInReducer(__builtin_return_address(0)))
    waitInReducer(Condition, Lock);
  else
    pthread_cond_wait(Condition, *Lock);
}
