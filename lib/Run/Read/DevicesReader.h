// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device chunks of a profile: records to the model.

#ifndef LOOPSCOPE_RUN_READ_DEVICESREADER_H
#define LOOPSCOPE_RUN_READ_DEVICESREADER_H

#include "Run/Devices.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// Reads the device samples. NODE_OF: the file's node indices -> ours. What
/// refers to nothing or is no number is counted in LOST.BadRecords and left
/// out; a sum caught in the middle of a sample is kept and counted in
/// LOST.TornNodes.
DeviceData readDevices(ProfileBytes &Records,
                       const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                       Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_DEVICESREADER_H
