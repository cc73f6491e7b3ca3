// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of stacks: records to the model.

#ifndef LOOPSCOPE_RUN_READ_STACKSREADER_H
#define LOOPSCOPE_RUN_READ_STACKSREADER_H

#include "Run/Read/ProfileBytes.h"
#include "Run/Read/SumsReader.h"
#include "Run/Run.h"

#include <cstdint>
#include <functional>

namespace loopscope {

/// Finds the code of each sample's addresses. NODE_OF gives our index of a node
/// of the file, roots too; None where there is none. What refers to nothing is
/// counted in LOST.BadRecords and left out. WORKING_DIRECTORY is what relative
/// paths are in.
StackData readStacks(ProfileBytes &Records, const NamedSums &Sums,
                     const std::function<uint32_t(uint32_t)> &NodeOf,
                     uint32_t ThreadCount, const std::string &WorkingDirectory,
                     Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_STACKSREADER_H
