// GPU work, by CUPTI.
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension GpuExtension;

} // namespace loopscope::runtime
