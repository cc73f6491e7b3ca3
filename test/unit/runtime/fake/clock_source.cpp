// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests' clock.

#include "base/clock.h"

uint64_t loopscope::runtime::FakeTicks = 1;

bool loopscope::runtime::counterIsSteady() { return true; }
uint64_t loopscope::runtime::counterNominalHz() { return 1000000000; }
