// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// New profiles that the program asks for (loopscope_reset).

#ifndef LOOPSCOPE_RESET_EXTENSION_H
#define LOOPSCOPE_RESET_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension ResetExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_RESET_EXTENSION_H
