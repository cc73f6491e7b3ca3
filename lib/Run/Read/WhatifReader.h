// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of what-if experiments: records to the model.

#ifndef LOOPSCOPE_RUN_READ_WHATIFREADER_H
#define LOOPSCOPE_RUN_READ_WHATIFREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// Reads the complete blocks. NODE_OF: the file's node indices -> ours. What
/// refers to nothing, or has no steps, is counted in LOST.BadRecords and left
/// out.
std::vector<WhatifBlock>
readWhatif(ProfileBytes &Records, const Clock &Ticks,
           const std::unordered_map<uint32_t, uint32_t> &NodeOf,
           Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_WHATIFREADER_H
