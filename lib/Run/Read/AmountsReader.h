// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts of spans and steps: named sums to the model.

#ifndef LOOPSCOPE_RUN_READ_AMOUNTSREADER_H
#define LOOPSCOPE_RUN_READ_AMOUNTSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/SumsReader.h"

namespace loopscope {

/// Fills in Node::Amounts of \p Into, whose nodes are there. Values that can't
/// be amounts are left out and counted in its BadRecords.
void readAmounts(const NamedSums &Sums, Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_AMOUNTSREADER_H
