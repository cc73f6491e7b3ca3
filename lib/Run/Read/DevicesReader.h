// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a profile's device chunks to the model.

#ifndef LOOPSCOPE_RUN_READ_DEVICESREADER_H
#define LOOPSCOPE_RUN_READ_DEVICESREADER_H

#include "Run/Model/Devices.h"
#include "Run/Model/Run.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <unordered_map>

namespace loopscope {

/// Reads the device samples. \p NodeOf maps the file's node indices to ours.
/// Records with bad references or numbers are left out and counted in
/// Lost.BadRecords; a sum read in the middle of a sample is kept and counted in
/// Lost.TornNodes.
DeviceData readDevices(ProfileBytes &Records,
                       const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                       Integrity &Lost);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_DEVICESREADER_H
