// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the streams that capture.

#include "captures.h"

#include <stdint.h>

using namespace loopscope::runtime;

namespace {
uint32_t Streams; // that capture
} // namespace

bool loopscope::runtime::isCapturing() {
  return __atomic_load_n(&Streams, __ATOMIC_RELAXED) != 0;
}

void loopscope::runtime::beginCapture() {
  __atomic_fetch_add(&Streams, 1, __ATOMIC_RELAXED);
}

void loopscope::runtime::endCapture() {
  uint32_t Before = __atomic_load_n(&Streams, __ATOMIC_RELAXED);
  while (Before != 0 &&
         !__atomic_compare_exchange_n(&Streams, &Before, Before - 1, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void loopscope::runtime::resetCaptures() { Streams = 0; }
