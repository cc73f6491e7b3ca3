// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the blocks of what-if experiments to the model.

#ifndef LOOPSCOPE_RUN_READ_WHATIFREADER_H
#define LOOPSCOPE_RUN_READ_WHATIFREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// Reads the complete blocks. \p NodeOf maps the file's node indices to ours.
/// Blocks with bad references or without steps are left out and counted in
/// Lost.BadRecords.
std::vector<WhatifBlock>
readWhatif(ProfileBytes &Records, const Clock &Ticks,
           const std::unordered_map<uint32_t, uint32_t> &NodeOf,
           Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_WHATIFREADER_H
