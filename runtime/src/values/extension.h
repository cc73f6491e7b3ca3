// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that the program tells again and again (loopscope_value).

#ifndef LOOPSCOPE_VALUES_EXTENSION_H
#define LOOPSCOPE_VALUES_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension ValuesExtension;

/// The function of the process's runtime that takes a number, for any thread.
void takeValue(const char *Name, double Value);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_VALUES_EXTENSION_H
