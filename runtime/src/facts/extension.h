// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of the run: what the program, a file and the repository around the
// working directory say about it.

#ifndef LOOPSCOPE_FACTS_EXTENSION_H
#define LOOPSCOPE_FACTS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension FactsExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FACTS_EXTENSION_H
