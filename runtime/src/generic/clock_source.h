// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For processors whose counter isn't supported: the runtime uses clock_gettime.
// One of several files of this name; the build selects one by its include path.

#ifndef LOOPSCOPE_GENERIC_CLOCK_SOURCE_H
#define LOOPSCOPE_GENERIC_CLOCK_SOURCE_H

#include <stdint.h>

namespace loopscope::runtime {

/// Never called, because counterIsSteady() returns false.
inline uint64_t readCounter() { return 0; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GENERIC_CLOCK_SOURCE_H
