// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what a profile's timeline says of GPUs' memory.

#ifndef LOOPSCOPE_RUN_READ_MEMORYREADER_H
#define LOOPSCOPE_RUN_READ_MEMORYREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// Fills in R.MemoryOverTime, by kind and device. \p NodeOf: the file's index
/// of a node -> the model's. What is damaged is counted in R.Lost.
void readMemoryOverTime(ProfileBytes &Records, const Clock &Ticks,
                        const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                        Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_MEMORYREADER_H
