// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of the host, the process and the GPUs.

#ifndef LOOPSCOPE_DEVICES_EXTENSION_H
#define LOOPSCOPE_DEVICES_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension DevicesExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_EXTENSION_H
