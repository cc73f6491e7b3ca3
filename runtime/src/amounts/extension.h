// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The amounts of amounts.h, as the program gives them: summed per node, with
// the peak of the devices.

#ifndef LOOPSCOPE_AMOUNTS_EXTENSION_H
#define LOOPSCOPE_AMOUNTS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension AmountsExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_AMOUNTS_EXTENSION_H
