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
  Monitors, ///< NVML's performance monitors (GPM), and the clock
  Counters, ///< energy, and for how long clocks were held back
  Samples,  ///< CUPTI's PM sampling; not by the device sampler
};
/// Those of the device sampler, and all.
constexpr uint32_t DeviceUseSources = 2;
constexpr uint32_t AllDeviceUseSources = 3;

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

/// What PM sampling (LOOPSCOPE=gpu-counters) takes over from the device
/// sampler.
struct SampledUses {
  static constexpr uint32_t MostDevices = 64;

  /// Set at start-up: the device sampler reads the clock also of GPUs without
  /// monitors, and from its first reading on.
  bool AreWanted = false;
  /// Bit sets of uses, by CUDA's ordinal, that the device sampler leaves out.
  uint32_t Of[MostDevices] = {};

  uint32_t of(uint32_t Device) const {
    return Device < MostDevices ? __atomic_load_n(&Of[Device], __ATOMIC_RELAXED)
                                : 0;
  }
  void set(uint32_t Device, uint32_t Uses) {
    if (Device < MostDevices)
      __atomic_store_n(&Of[Device], Uses, __ATOMIC_RELAXED);
  }
};
inline constinit SampledUses Sampled;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_DEVICE_USE_H
