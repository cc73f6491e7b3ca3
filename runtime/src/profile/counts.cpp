// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting, in this process's profile only.

#include "counts.h"

#include "base/fork_notice.h"
#include "profile_file.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

void loopscope::runtime::count(loopscope_counter Counter) {
  noticeFork();
  if (auto *H = __atomic_load_n(&Header, __ATOMIC_ACQUIRE); H != nullptr)
    __atomic_fetch_add(&H->counters[Counter], 1, __ATOMIC_RELAXED);
}

void loopscope::runtime::countClockWentBack() {
  count(LOOPSCOPE_COUNT_CLOCK_CLAMPED);
}
