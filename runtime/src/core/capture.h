// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether any CUDA stream is capturing, as seen by GPU collection. Work done
// during capture is recorded to run later, so it must not be lengthened.

#ifndef LOOPSCOPE_CORE_CAPTURE_H
#define LOOPSCOPE_CORE_CAPTURE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Number of capturing streams. Any thread.
extern uint32_t CapturingStreams;

inline bool isCapturing() {
  return __atomic_load_n(&CapturingStreams, __ATOMIC_RELAXED) != 0;
}

/// A stream begins to capture, or ends.
inline void beginCapture() {
  __atomic_fetch_add(&CapturingStreams, 1, __ATOMIC_RELAXED);
}
inline void endCapture() {
  uint32_t Streams = __atomic_load_n(&CapturingStreams, __ATOMIC_RELAXED);
  while (Streams != 0 &&
         !__atomic_compare_exchange_n(&CapturingStreams, &Streams, Streams - 1,
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_CAPTURE_H
