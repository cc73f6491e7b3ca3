// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Experiments on the running program: what if this phase took longer?

#ifndef LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H
#define LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension WhatifExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RUNTIME_SRC_WHATIF_EXTENSION_H
