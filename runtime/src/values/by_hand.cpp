// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of loopscope.h that tells a number.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "base/objects.h"
#include "extension.h"

using namespace loopscope::runtime;

// In the copy of the runtime that records.
__attribute__((weak)) void loopscope_value(const char *Name,
                                           double Value) noexcept {
  const Entries *Other = otherRuntime();
  if (Other == nullptr)
    takeValue(Name, Value);
  else if (Other->Start())
    if (EntryPoint Entry = Other->FindEntry(ValuesExtension.Name))
      reinterpret_cast<decltype(&takeValue)>(Entry)(Name, Value);
}
