// Processor time, faults and switches of threads, by step and phase.
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension CpuExtension;

} // namespace loopscope::runtime
