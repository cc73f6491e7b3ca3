// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication between ranks: each collective, and the work before it.

#ifndef LOOPSCOPE_COMM_EXTENSION_H
#define LOOPSCOPE_COMM_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension CommExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_EXTENSION_H
