// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of threads that the program gives (loopscope_name_thread).

#ifndef LOOPSCOPE_THREADS_EXTENSION_H
#define LOOPSCOPE_THREADS_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension ThreadsExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_THREADS_EXTENSION_H
