// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pauses that the program asks for (loopscope_pause, loopscope_resume).

#ifndef LOOPSCOPE_PAUSE_EXTENSION_H
#define LOOPSCOPE_PAUSE_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension PauseExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PAUSE_EXTENSION_H
