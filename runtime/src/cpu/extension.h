// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor time, faults and switches of threads, by step and phase.

#ifndef LOOPSCOPE_RUNTIME_SRC_CPU_EXTENSION_H
#define LOOPSCOPE_RUNTIME_SRC_CPU_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension CpuExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_CPU_EXTENSION_H
