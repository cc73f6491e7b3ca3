// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of this process.

#include "facts.h"

using namespace loopscope::runtime;

constinit ProcessFacts loopscope::runtime::Process;
