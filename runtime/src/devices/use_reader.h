// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what a GPU's hardware does, from one reading to the next. Only the
// sampler's thread uses it.

#ifndef LOOPSCOPE_DEVICES_USE_READER_H
#define LOOPSCOPE_DEVICES_USE_READER_H

#include "base/system.h"
#include "tree/device_use.h"

#include <stdint.h>

namespace loopscope::runtime {

/// One GPU.
class UseReader {
public:
  /// Reads SOURCE of the GPU with NVML's HANDLE and CUDA's ORDINAL at NS of
  /// CLOCK_MONOTONIC. False: there is nothing to say. NOTE gets the reason,
  /// once, if rights are missing.
  bool read(DeviceUseSource Source, void *Handle, uint32_t Ordinal, uint64_t Ns,
            DeviceUse &Result, Text &Note);

  /// Whether it may ever give anything, as far as is known.
  bool hasAny(DeviceUseSource Source) const {
    return !HasNone[static_cast<uint32_t>(Source)];
  }

private:
  struct Counts {
    bool Known;
    uint64_t Value;
  };
  static constexpr unsigned CounterCount = 5;

  bool askForMonitors(void *Handle);
  bool takeSample(void *Handle, DeviceUse &Result, Text &Note);
  bool readMonitors(void *Handle, DeviceUse &Result, Text &Note);
  bool compare(DeviceUse &Result);
  bool readCounters(void *Handle, DeviceUse &Result);
  bool canAllocate();

  void *Samples[2] = {}; // the last reading, and room for the next
  bool HasSample = false;
  unsigned Compared = 0; // readings so far
  bool IsAsked = false;  // whether there are monitors
  bool HasMonitors = false;
  bool HasNone[DeviceUseSources] = {};
  bool SaidRights = false;
  uint64_t MonitorsNotBeforeNs = 0; // after a refusal
  Counts Last[CounterCount] = {};
  uint64_t LastCountersNs = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_USE_READER_H
