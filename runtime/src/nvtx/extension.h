// NVTX ranges, in and out.
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension NvtxExtension;

} // namespace loopscope::runtime
