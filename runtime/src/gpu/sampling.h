// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOOPSCOPE=gpu-counters: PM sampling of the devices that a program works on,
// for those who charge windows to call paths. The collecting thread owns it;
// it has no state and loads nothing unless the word is there.

#ifndef LOOPSCOPE_GPU_SAMPLING_H
#define LOOPSCOPE_GPU_SAMPLING_H

#include "collector.h"
#include "device_clock.h"
#include "pm_sampler.h"

namespace loopscope::runtime {

/// Registers what profiles keep of it. Call before there is a profile.
void registerSampling();

class HardwareSampling {
public:
  /// In CUPTI's callback: something was launched in this context.
  void noteLaunch(const Cupti &Api, void *Context, uint32_t ContextUid) {
    uint64_t Bit = uint64_t(1) << ContextUid % 64;
    if ((__atomic_load_n(&Contexts, __ATOMIC_RELAXED) & Bit) == 0)
      noteContext(Api, Context, Bit);
  }

  /// Starts on devices that have begun to work, and passes what the hardware
  /// has measured since the last call to ADDING. LAST: the final call. Only
  /// while CUPTI may be called.
  void look(const Cupti &Api, const DeviceClock &Clock, Collector &Adding,
            bool Last);

  /// Takes the device sampler's reading, which may have the clock.
  void noteClock(const DeviceUse &Read);

  /// Until when all samples have been passed, but not long before NOW; NOW
  /// where nothing is sampled.
  uint64_t passedUntil(const DeviceClock &Clock, uint64_t Now) const;

private:
  static constexpr uint32_t MostDevices = 16; // with ids below it

  struct Device {
    PmSampler Sampler;
    bool IsTried = false;
    bool IsOn = false;
    unsigned Looks = 0;   // since the device began to work
    uint64_t LastNs = 0;  // end of the last sample; 0: there is none
    uint64_t Passed = 0;  // its ticks
    uint64_t Samples = 0; // that were passed
    double ClockBefore = 0;
    double Clocks = 0; // sum of those read during sampling
    unsigned ClockCount = 0;
  };

  void noteContext(const Cupti &Api, void *Context, uint64_t Bit);
  static void sayMissing(const Device &D, uint32_t Id);
  void start(const Cupti &Api, Device &D, uint32_t Id);
  void take(const PmSample &Sample, Device &D, uint32_t Id,
            const DeviceClock &Clock, Collector &Adding, Reason &Why);
  void sayClocks() const;

  PmFunctions Functions;
  bool IsSearched = false;
  bool HasFunctions = false;
  bool IsIntervalKept = false;
  uint64_t Contexts = 0; // bit set of those with launches
  uint32_t Launched = 0; // likewise of devices
  Device Devices[MostDevices];
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_SAMPLING_H
