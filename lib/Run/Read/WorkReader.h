// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations: named sums to the model.

#ifndef LOOPSCOPE_RUN_READ_WORKREADER_H
#define LOOPSCOPE_RUN_READ_WORKREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/SumsReader.h"

namespace loopscope {

/// Fills in Node::Work of \p Into, whose nodes are there. Values that aren't
/// numbers of operations are left out and counted in its BadRecords.
void readWork(const NamedSums &Sums, Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_WORKREADER_H
