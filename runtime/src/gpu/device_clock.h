// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clock for CUPTI, which wants nanoseconds: ticks are converted by a fixed
// linear map, and CUPTI's times converted back by its inverse.

#ifndef LOOPSCOPE_GPU_DEVICE_CLOCK_H
#define LOOPSCOPE_GPU_DEVICE_CLOCK_H

#include "base/clock.h"
#include "base/kernel_time.h"

namespace loopscope::runtime {

class DeviceClock {
public:
  DeviceClock() = default;
  /// A map that is exact at START, for HZ ticks per second.
  DeviceClock(ClockPair Start, uint64_t Hz) : Start(Start), Hz(Hz) {}

  uint64_t toNs(uint64_t Ticks) const {
    return Start.Ns + scale(Ticks - Start.Ticks, NsPerSecond, Hz);
  }
  /// 0 means unknown and stays 0.
  uint64_t toTicks(uint64_t Ns) const {
    if (Ns == 0)
      return 0;
    return Ns >= Start.Ns ? Start.Ticks + scale(Ns - Start.Ns, Hz, NsPerSecond)
                          : 1; // before the program, so not our clock
  }

  /// The length of NS nanoseconds.
  uint64_t durationTicks(uint64_t Ns) const {
    return scale(Ns, Hz, NsPerSecond);
  }

private:
  // Rounded to the nearest.
  static uint64_t scale(uint64_t Value, uint64_t By, uint64_t Of) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(Value) * By + Of / 2) / Of);
  }

  ClockPair Start = {0, 0};
  uint64_t Hz = NsPerSecond;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_DEVICE_CLOCK_H
