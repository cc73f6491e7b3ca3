// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts samples of stacks to the model.

#ifndef LOOPSCOPE_RUN_READ_STACKSREADER_H
#define LOOPSCOPE_RUN_READ_STACKSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/SumsReader.h"

#include <cstdint>
#include <functional>

namespace loopscope {

/// Finds the code at each sample's addresses. \p NodeOf gives our index for a
/// node of the file, including roots; None if there is none. Bad references are
/// left out and counted in Lost.BadRecords. Relative paths are relative to \p
/// WorkingDirectory.
StackData readStacks(ProfileBytes &Records, const NamedSums &Sums,
                     const std::function<uint32_t(uint32_t)> &NodeOf,
                     uint32_t ThreadCount, const std::string &WorkingDirectory,
                     Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_STACKSREADER_H
