// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For processors whose counter isn't supported: clock_gettime is the clock.

#include "base/clock.h"

bool loopscope::runtime::counterIsSteady() { return false; }
uint64_t loopscope::runtime::counterNominalHz() { return 0; }
