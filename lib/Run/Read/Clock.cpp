// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact conversion of clock ticks.

#include "Run/Read/Clock.h"

#include "Support/Numbers.h"

using namespace loopscope;

namespace {
// Shorter calibrations are less exact than the nominal rate.
constexpr uint64_t LeastCalibrationNs = 10'000'000;
} // namespace

Clock::Clock(const loopscope_profile_header &Header) {
  if (Header.clock_kind == LOOPSCOPE_CLOCK_MONOTONIC)
    return;
  bool Calibrated = Header.last_ticks > Header.start_ticks &&
                    Header.last_ns > Header.start_ns &&
                    Header.last_ns - Header.start_ns >= LeastCalibrationNs;
  if (Calibrated) {
    Ns = Header.last_ns - Header.start_ns;
    Ticks = Header.last_ticks - Header.start_ticks;
  } else if (Header.nominal_hz != 0) {
    Ns = NsPerSecond;
    Ticks = Header.nominal_hz;
  }
  Rate = static_cast<double>(Ns) / static_cast<double>(Ticks);
}

int64_t Clock::toNs(uint64_t Value) const {
  __extension__ typedef unsigned __int128 Wide;
  Wide Result = static_cast<Wide>(Value) * Ns / Ticks;
  return Result > INT64_MAX ? INT64_MAX : static_cast<int64_t>(Result);
}
