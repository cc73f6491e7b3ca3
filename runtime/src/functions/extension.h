// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches off function mode's hooks that cost more than they are worth: each
// function is judged now and then by the cost of its hooks and the time they
// found. From then on its calls aren't recorded, and its time counts for its
// callers.

#ifndef LOOPSCOPE_FUNCTIONS_EXTENSION_H
#define LOOPSCOPE_FUNCTIONS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension FunctionsExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FUNCTIONS_EXTENSION_H
