// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the ring of collectives to the model.

#ifndef LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H
#define LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/SumsReader.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// Reads the instances into \p To, and their bytes from \p Sums into its nodes.
/// \p NodeOf maps the file's node indices to ours. Records that refer to no
/// collective are left out and counted in To.Lost.BadRecords; slots that are
/// being written, in TornNodes.
void readCollectives(ProfileBytes &Records, const Clock &Ticks,
                     const NamedSums &Sums,
                     const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                     Run &To);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H
