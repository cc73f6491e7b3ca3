// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both fuzzers do with readable input.

#ifndef LOOPSCOPE_TEST_FUZZ_PRINTVIEWS_H
#define LOOPSCOPE_TEST_FUZZ_PRINTVIEWS_H

#include "Report/Commands/Input.h"

#include <cstddef>

namespace loopscope {

/// Prints one view of FROM, with options, alone or merged with itself, all by
/// CHOICE: every view with every option would take most of the time.
void printView(const Run &From, size_t Choice);

} // namespace loopscope

#endif // LOOPSCOPE_TEST_FUZZ_PRINTVIEWS_H
