// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's functions for the core.

#include "extension.h"

#include "ring.h"

using namespace loopscope::runtime;

const Extension loopscope::runtime::TimelineExtension = {
    .Name = "timeline",
    .Words = {},
    .ThreadStarted = startTimeline,
    .Called = makeEventChunk,
    .ChildOfFork = resetTimeline,
};
