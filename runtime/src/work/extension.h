// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations given by the program: summed per node, with the
// device's peak.

#ifndef LOOPSCOPE_WORK_EXTENSION_H
#define LOOPSCOPE_WORK_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension WorkExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_WORK_EXTENSION_H
