// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point operations: named sums to the model.

#ifndef LOOPSCOPE_RUN_READ_WORKREADER_H
#define LOOPSCOPE_RUN_READ_WORKREADER_H

#include "Run/Read/SumsReader.h"
#include "Run/Run.h"

namespace loopscope {

/// Fills Node::Work and PeakFlops of \p Into, whose nodes are there. What is no
/// number of operations is counted in its BadRecords and left out.
void readWork(const NamedSums &Sums, Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_WORKREADER_H
