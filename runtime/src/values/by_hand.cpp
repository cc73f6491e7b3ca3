// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of loopscope.h that tells a number.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "base/objects.h"
#include "extension.h"

using namespace loopscope::runtime;

__attribute__((weak)) void loopscope_value(const char *Name,
                                           double Value) noexcept {
  callInRecorder(ValuesExtension.Name, takeValue, Name, Value);
}
