// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function mode's hooks that cost more than they tell: each function is judged
// now and then by what its hooks cost and what they found, and its hooks are
// switched off for good where that isn't worth it. From then on nothing is
// known of its calls, and its time is its callers'.

#ifndef LOOPSCOPE_FUNCTIONS_EXTENSION_H
#define LOOPSCOPE_FUNCTIONS_EXTENSION_H

#include "core/extension.h"

namespace loopscope::runtime {

extern const Extension FunctionsExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FUNCTIONS_EXTENSION_H
