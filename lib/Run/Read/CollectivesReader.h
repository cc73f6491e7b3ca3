// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ring of collectives: records to the model.

#ifndef LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H
#define LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H

#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/SumsReader.h"
#include "Run/Run.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// Reads the instances into TO, and their bytes from SUMS into its nodes.
/// NODE_OF: the file's node indices -> ours. What refers to no collective is
/// counted in TO.Lost.BadRecords and left out; a slot that is being written, in
/// TornNodes.
void readCollectives(ProfileBytes &Records, const Clock &Ticks,
                     const NamedSums &Sums,
                     const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                     Run &To);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_COLLECTIVESREADER_H
