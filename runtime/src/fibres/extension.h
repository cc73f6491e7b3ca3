// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches of stacks that the program tells (loopscope_fibre_switch,
// loopscope_fibre_end).

#ifndef LOOPSCOPE_FIBRES_EXTENSION_H
#define LOOPSCOPE_FIBRES_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension FibresExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FIBRES_EXTENSION_H
