// The timeline: what the core's threads note of their spans, kept in a ring.
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension TimelineExtension;

} // namespace loopscope::runtime
