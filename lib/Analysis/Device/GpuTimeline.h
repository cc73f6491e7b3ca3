// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device work on timelines: what each stream of a GPU did, by the phase that
// launched it.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_GPUTIMELINE_H
#define LOOPSCOPE_ANALYSIS_DEVICE_GPUTIMELINE_H

#include "Analysis/Steps/StepTimeline.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A stream of a device and its work, by start.
struct DeviceTrack {
  uint32_t Device = 0; ///< in GpuData::Devices
  uint32_t Stream = 0;
  std::string Name;             ///< "GPU 0 stream 7"
  std::vector<uint32_t> Events; ///< in GpuData::Events
};

/// The streams that ran anything, by device and number.
std::vector<DeviceTrack> deviceTracks(const Run &R);

/// Adds the streams to the steps of \p To.
void addDeviceTracks(StepTimeline &To, const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_GPUTIMELINE_H
