// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A processor whose counter we don't read: clock_gettime is the clock.

#include "core/clock.h"

bool loopscope::runtime::counterIsSteady() { return false; }
uint64_t loopscope::runtime::counterNominalHz() { return 0; }
