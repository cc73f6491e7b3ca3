// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor time, faults and switches of call paths, from their named sums.

#ifndef LOOPSCOPE_RUN_READ_CPUREADER_H
#define LOOPSCOPE_RUN_READ_CPUREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/SumsReader.h"

namespace loopscope {

/// Fills in Cpu of the nodes in \p Result. If the process ended between the
/// parts of a span's figures, the span is taken out: \p LastTicks, by node, is
/// the length of the node's last span.
void readCpu(const NamedSums &Sums, const std::vector<uint64_t> &LastTicks,
             const Clock &Ticks, Run &Result);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_CPUREADER_H
