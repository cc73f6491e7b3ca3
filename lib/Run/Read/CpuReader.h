// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor time, faults and switches of call paths, from their named sums.

#ifndef LOOPSCOPE_RUN_READ_CPUREADER_H
#define LOOPSCOPE_RUN_READ_CPUREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/SumsReader.h"
#include "Run/Run.h"

namespace loopscope {

/// Fills the Cpu of RESULT's nodes. Where
/// the process ended between the parts of one span's figures, the span is taken
/// out: LAST_TICKS, by node, is how long the node's last one was.
void readCpu(const NamedSums &Sums, const std::vector<uint64_t> &LastTicks,
             const Clock &Ticks, Run &Result);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_CPUREADER_H
