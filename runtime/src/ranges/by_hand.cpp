// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of loopscope.h for ranges.

#pragma GCC visibility push(default)
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "base/objects.h"
#include "extension.h"

using namespace loopscope::runtime;

__attribute__((weak)) uint64_t
loopscope_range_begin(const char *Name) noexcept {
  const char *Shown = Name == nullptr || *Name == 0 ? "(unnamed)" : Name;
  return callInRecorder(RangesExtension.Name, takeRange, Shown, uint64_t(0));
}

__attribute__((weak)) void loopscope_range_end(uint64_t Range) noexcept {
  const char *None = nullptr;
  if (Range != 0)
    callInRecorder(RangesExtension.Name, takeRange, None, Range);
}
