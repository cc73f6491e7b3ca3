// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sampler reads of a device's hardware, for whoever knows what the
// device worked on.

#ifndef LOOPSCOPE_TREE_DEVICE_USE_H
#define LOOPSCOPE_TREE_DEVICE_USE_H

#include <loopscope/profile_format.h>

#include <stdint.h>

namespace loopscope::runtime {

enum class DeviceUseOf : uint32_t {
#define LOOPSCOPE_USE_IDENTIFIER_(NUMBER, IDENTIFIER, NAME, UNIT)              \
  IDENTIFIER = (NUMBER),
  LOOPSCOPE_GPU_USES(LOOPSCOPE_USE_IDENTIFIER_)
#undef LOOPSCOPE_USE_IDENTIFIER_
};
#define LOOPSCOPE_USE_LISTED_(NUMBER, IDENTIFIER, NAME, UNIT)                  \
  DeviceUseOf::IDENTIFIER,
constexpr DeviceUseOf AllDeviceUses[] = {
    LOOPSCOPE_GPU_USES(LOOPSCOPE_USE_LISTED_)};
#undef LOOPSCOPE_USE_LISTED_
constexpr uint32_t DeviceUseCount =
    sizeof(AllDeviceUses) / sizeof(AllDeviceUses[0]);

/// Readings that are taken together.
enum class DeviceUseSource : uint32_t {
  Monitors, ///< NVML's performance monitors (GPM)
  Counters, ///< energy, and for how long clocks were held back
};
constexpr uint32_t DeviceUseSources = 2;

/// One reading: the values since the last one of the same source, if that gave
/// any; it also begins the next window.
struct DeviceUse {
  uint32_t Device = 0; ///< CUDA's ordinal
  DeviceUseSource Source = DeviceUseSource::Monitors;
  uint32_t HostNode = LOOPSCOPE_NONE; ///< standInNode()
  uint64_t Ticks = 0;                 ///< when it was read
  uint32_t Known = 0; ///< bit set of values; 0: there is no window before
  double Values[DeviceUseCount] = {};

  void set(DeviceUseOf Use, double Value) {
    Known |= 1U << static_cast<uint32_t>(Use);
    Values[static_cast<uint32_t>(Use)] = Value;
  }
};

/// How old a reading may be: the hardware's values are renewed every 100 ms
/// (measured on an H100 with the driver 580.159).
constexpr uint64_t DeviceUseAgeMs = 100;
/// No window is shorter, so at most two windows of a source, each with its age,
/// overlap.
constexpr uint64_t LeastDeviceUseMs = 125;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_DEVICE_USE_H
