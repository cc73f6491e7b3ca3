// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations as the program says them: summed per node, with
// what the device could do.

#ifndef LOOPSCOPE_WORK_EXTENSION_H
#define LOOPSCOPE_WORK_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension WorkExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_WORK_EXTENSION_H
