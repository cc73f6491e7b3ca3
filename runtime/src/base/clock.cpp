// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choice and calibration of the clock.

#include "clock.h"

#include "system.h"

#include <string.h>

using namespace loopscope::runtime;

bool loopscope::runtime::UseCounter = false;
uint64_t loopscope::runtime::TicksPerSecond = 1ULL << 31;

namespace {
constexpr int PairTries = 5;
// Runs shorter than the readers' limit for calibration (10 ms) still get a
// measured rate, better than a guess, if they are at least this long.
constexpr uint64_t ShortestMeasurementNs = 50000;
constexpr int StepReadings = 64;

// From "cpu MHz : 2596.992" in /proc/cpuinfo; 0 if missing.
uint64_t cpuinfoHz() {
  char Text[2048];
  size_t Length = readFile("/proc/cpuinfo", Text, sizeof(Text));
  const char *Found = Length == 0 ? nullptr : strstr(Text, "cpu MHz");
  Found = Found == nullptr ? nullptr : strchr(Found, ':');
  if (Found == nullptr)
    return 0;
  uint64_t Khz = 0;
  int Decimals = -1;
  for (const char *C = Found + 1; *C != '\n' && *C != 0 && Decimals < 3; ++C) {
    if (*C == '.')
      Decimals = 0;
    if (*C < '0' || *C > '9')
      continue;
    Khz = Khz * 10 + static_cast<uint64_t>(*C - '0');
    Decimals += Decimals >= 0;
  }
  for (int I = Decimals < 0 ? 0 : Decimals; I < 3; ++I)
    Khz *= 10;
  return Khz * 1000;
}

uint64_t Nominal; // of the clock, in Hz; 0: unknown

// 0 if unknown.
uint64_t nominalHz() {
  uint64_t Known = counterNominalHz();
  return Known != 0 ? Known : cpuinfoHz();
}
} // namespace

bool loopscope::runtime::kernelTrustsCounter() {
  char Name[32];
  size_t Length = readFile(
      "/sys/devices/system/clocksource/clocksource0/current_clocksource", Name,
      sizeof(Name));
  // Hyper-V and KVM publish their own clocks, which scale the counter.
  return Length == 0 || strncmp(Name, "tsc", 3) == 0 ||
         strncmp(Name, "kvm-clock", 9) == 0 ||
         strncmp(Name, "hyperv_clocksource_tsc_page", 27) == 0 ||
         strncmp(Name, "arch_sys_counter", 16) == 0;
}

// Two readings of one value show that they are faster than the step.
uint64_t loopscope::runtime::clockStep() {
  uint64_t Smallest = UINT64_MAX;
  bool HasEqual = false;
  uint64_t Last = now();
  for (int I = 0; I < StepReadings; ++I) {
    uint64_t Next = now();
    uint64_t Step = Next - Last;
    Last = Next;
    HasEqual |= Step == 0;
    if (Step != 0 && Step < Smallest)
      Smallest = Step;
  }
  return HasEqual && Smallest != UINT64_MAX ? Smallest : 1;
}

void loopscope::runtime::startClock() {
  UseCounter = counterIsSteady() && kernelTrustsCounter();
  Nominal = UseCounter ? nominalHz() : NsPerSecond;
  if (Nominal != 0)
    TicksPerSecond = Nominal;
}

ClockPair loopscope::runtime::readClockPair() {
  if (!UseCounter) {
    uint64_t Ns = monotonicNs();
    return {Ns, Ns};
  }
  ClockPair Best{};
  uint64_t BestWidth = UINT64_MAX;
  for (int I = 0; I < PairTries; ++I) {
    uint64_t Before = readCounter();
    uint64_t Ns = monotonicNs();
    uint64_t Width = readCounter() - Before;
    if (Width < BestWidth) {
      BestWidth = Width;
      Best = {Before + Width / 2, Ns};
    }
  }
  return Best;
}

void loopscope::runtime::describeClock(loopscope_profile_header &Header) {
  ClockPair Start = readClockPair();
  Header.clock_kind =
      UseCounter ? LOOPSCOPE_CLOCK_TSC : LOOPSCOPE_CLOCK_MONOTONIC;
  if (!UseCounter && counterIsSteady())
    Header.flags |= LOOPSCOPE_FLAG_TSC_DISTRUSTED;
  Header.start_ticks = Header.last_ticks = Start.Ticks;
  Header.start_ns = Header.last_ns = Start.Ns;
  Header.start_realtime_ns = Header.last_realtime_ns = realtimeNs();
  Header.nominal_hz = Nominal;
}

void loopscope::runtime::calibrate(loopscope_profile_header &Header) {
  ClockPair Last = readClockPair();
  if (Last.Ticks <= Header.last_ticks || Last.Ns <= Header.last_ns)
    return;
  uint32_t Sequence = Header.calibration_sequence;
  __atomic_store_n(&Header.calibration_sequence, Sequence + 1,
                   __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  Header.last_ticks = Last.Ticks;
  Header.last_ns = Last.Ns;
  Header.last_realtime_ns = realtimeNs();
  uint64_t Ns = Last.Ns - Header.start_ns;
  if (UseCounter && Ns >= ShortestMeasurementNs) {
    __extension__ using Wide = unsigned __int128;
    auto Hz = static_cast<uint64_t>(
        static_cast<Wide>(Last.Ticks - Header.start_ticks) * NsPerSecond / Ns);
    __atomic_store_n(&Header.nominal_hz, Hz, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&Header.calibration_sequence, Sequence + 2,
                   __ATOMIC_RELEASE);
}
