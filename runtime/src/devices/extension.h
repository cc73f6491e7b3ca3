// Samples of the host, the process and the GPUs.
#pragma once

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension DevicesExtension;

} // namespace loopscope::runtime
