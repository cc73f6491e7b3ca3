// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many streams are capturing.

#include "capture.h"

using namespace loopscope::runtime;

uint32_t loopscope::runtime::CapturingStreams;
