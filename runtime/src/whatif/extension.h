// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What if this phase were longer? Experiments on the running program.

#ifndef LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H
#define LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension WhatifExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H
