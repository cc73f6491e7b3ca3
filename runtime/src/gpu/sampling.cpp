// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From samples to windows.

#include "sampling.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "extension.h"
#include "process/facts.h"
#include "profile/sums.h"
#include "session.h"
#include "tree/threads.h"

#include <loopscope/named_losses.h>
#include <loopscope/run_settings.h>

using namespace loopscope::runtime;

namespace {
// For a clock to compare with, which the device sampler reads at the next
// occasion, sampling waits for so many looks.
constexpr unsigned LooksForClock = 6; // 0.7 s
// How long settled work may wait for samples.
constexpr uint64_t LongestDelayNs = NsPerSecond;
// A sample's end may be read as slightly in the future.
constexpr uint64_t SlackNs = 10 * NsPerMs;

struct Kept {
  CounterId Interval = NotRegistered;
  CounterId ClockBefore = NotRegistered;
  CounterId ClockDuring = NotRegistered;
};
constinit Kept Keys;

void sayNone(uint32_t Id, const char *Noun, const char *Why) {
  TextBuffer<400> Line;
  Line << Noun << " of GPU " << int64_t(Id) << ": " << Why;
  noteIncomplete(Line.c_str());
}
} // namespace

void loopscope::runtime::registerSampling() {
  Sampled.AreWanted = true;
  Keys.Interval = keepSetting(LOOPSCOPE_SETTING_GPU_COUNTERS, 0);
  Keys.ClockBefore = keepSetting(LOOPSCOPE_SETTING_GPU_CLOCK_BEFORE, 0);
  Keys.ClockDuring = keepSetting(LOOPSCOPE_SETTING_GPU_CLOCK_DURING, 0);
  registerCounter(LOOPSCOPE_COUNT_GPU_SAMPLES_LOST);
}

void HardwareSampling::noteClock(const DeviceUse &Read) {
  constexpr auto Clock = static_cast<uint32_t>(DeviceUseOf::ClockOfSm);
  if (Read.Device >= MostDevices || (Read.Known >> Clock & 1) == 0)
    return;
  Device &D = Devices[Read.Device];
  if (!D.IsTried) {
    D.ClockBefore = Read.Values[Clock];
  } else if (D.IsOn) {
    D.Clocks += Read.Values[Clock];
    ++D.ClockCount;
  }
}

void HardwareSampling::sayMissing(const Device &D, uint32_t Id) {
  static constexpr struct {
    DeviceUseOf Use;
    const char *Noun;
  } Expected[] = {{DeviceUseOf::SmActive, "SMs"},
                  {DeviceUseOf::TensorActive, "tensor cores"},
                  {DeviceUseOf::DramActive, "memory"}};
  TextBuffer<80> Missing;
  for (const auto &Each : Expected)
    if ((D.Sampler.uses() >> static_cast<uint32_t>(Each.Use) & 1) == 0)
      Missing << (Missing.size() == 0 ? "no PM sampling of " : " and ")
              << Each.Noun;
  if (Missing.size() != 0)
    sayNone(Id, Missing.c_str(),
            "CUPTI doesn't know them for this chip, or can't measure them "
            "together with the rest");
}

void HardwareSampling::start(const Cupti &Api, Device &D, uint32_t Id) {
  D.IsTried = true;
  if (!IsSearched)
    HasFunctions = Functions.find(Api);
  IsSearched = true;
  Reason Why;
  if (!HasFunctions)
    Why << "CUPTI has it from CUDA 12.6 on; LOOPSCOPE_CUPTI names another";
  else
    D.IsOn = D.Sampler.start(Functions, Api, Id, GpuSettings.CountersNs, Why);
  if (!D.IsOn) {
    sayNone(Id, "no PM sampling", Why.c_str());
    return;
  }
  sayMissing(D, Id);
  D.Passed = now();
  Sampled.set(Id, D.Sampler.uses());
  if (!IsIntervalKept)
    addToCounter(Keys.Interval, GpuSettings.CountersNs);
  IsIntervalKept = true;
}

void HardwareSampling::take(const PmSample &Sample, Device &D, uint32_t Id,
                            const DeviceClock &Clock, Collector &Adding,
                            Reason &Why) {
  uint64_t Interval = GpuSettings.CountersNs;
  uint64_t Slack = Interval / 20;
  uint64_t Start = Clock.toTicks(Sample.StartNs);
  uint64_t End = Clock.toTicks(Sample.EndNs);
  if (End <= Start || Start < Header->start_ticks ||
      End > now() + Clock.durationTicks(SlackNs)) {
    addToCounter(LOOPSCOPE_COUNT_GPU_SAMPLES_LOST, 1);
    if (D.Samples == 0 && Why.size() == 0)
      Why << "its samples have times outside the run";
    return;
  }
  // Late ones are of time that has been passed.
  if (Sample.StartNs + Slack < D.LastNs) {
    addToCounter(LOOPSCOPE_COUNT_GPU_SAMPLES_LOST, 1);
    return;
  }
  DeviceUse Use;
  Use.Device = Id;
  Use.Source = DeviceUseSource::Samples;
  if (D.LastNs == 0 || Sample.StartNs > D.LastNs + Slack) {
    if (D.LastNs != 0)
      addToCounter(LOOPSCOPE_COUNT_GPU_SAMPLES_LOST,
                   (Sample.StartNs - D.LastNs + Interval / 2) / Interval);
    Use.Ticks = Start;
    Adding.addUse(Use, 0);
  }
  Use.Ticks = End;
  Use.HostNode = standInNode();
  for (uint32_t I = 0; I < DeviceUseCount; ++I)
    if ((D.Sampler.uses() >> I & 1) != 0 && Sample.Values[I] >= 0)
      Use.set(static_cast<DeviceUseOf>(I), Sample.Values[I]);
  Adding.addUse(Use, 0);
  D.LastNs = Sample.EndNs;
  D.Passed = End;
  ++D.Samples;
}

// Records would tell the device, too, but may come late.
void HardwareSampling::noteContext(const Cupti &Api, void *Context,
                                   uint64_t Bit) {
  __atomic_fetch_or(&Contexts, Bit, __ATOMIC_RELAXED);
  uint32_t Id = 0;
  if (Api.GetDeviceId != nullptr &&
      Api.GetDeviceId(Context, &Id) == cupti::Success && Id < MostDevices)
    __atomic_fetch_or(&Launched, 1U << Id, __ATOMIC_RELAXED);
}

void HardwareSampling::look(const Cupti &Api, const DeviceClock &Clock,
                            Collector &Adding, bool Last) {
  uint32_t Working = __atomic_load_n(&Launched, __ATOMIC_RELAXED);
  for (uint32_t Id = 0; Id < MostDevices && !Last; ++Id) {
    Device &D = Devices[Id];
    if ((Working >> Id & 1) != 0 && !D.IsTried &&
        (D.ClockBefore > 0 || Process.Settings.RoundMs == 0 ||
         ++D.Looks >= LooksForClock))
      start(Api, D, Id);
  }
  for (uint32_t Id = 0; Id < MostDevices; ++Id) {
    Device &D = Devices[Id];
    if (!D.IsOn)
      continue;
    if (Last)
      D.Sampler.stop();
    Reason Why;
    Reason Bad;
    bool IsRead = D.Sampler.read(
        [&](const PmSample &Sample) {
          take(Sample, D, Id, Clock, Adding, Bad);
        },
        Why);
    if (IsRead && Bad.size() == 0)
      continue;
    D.IsOn = false;
    if (IsRead)
      D.Sampler.stop();
    Sampled.set(Id, 0);
    sayNone(Id, "no more PM sampling", (IsRead ? Bad : Why).c_str());
  }
  if (Last)
    sayClocks();
}

uint64_t HardwareSampling::passedUntil(const DeviceClock &Clock,
                                       uint64_t Now) const {
  uint64_t Earliest = Now;
  for (const Device &D : Devices)
    if (D.IsOn && D.Passed < Earliest)
      Earliest = D.Passed;
  uint64_t Longest = Clock.durationTicks(LongestDelayNs);
  return Now > Longest && Earliest < Now - Longest ? Now - Longest : Earliest;
}

// Of the device whose clock changed most.
void HardwareSampling::sayClocks() const {
  double Most = -1;
  double Before = 0;
  double During = 0;
  for (const Device &D : Devices) {
    if (D.ClockCount == 0 || D.ClockBefore <= 0)
      continue;
    double Mean = D.Clocks / D.ClockCount;
    double Change = Mean / D.ClockBefore - 1;
    if (Change < 0)
      Change = -Change;
    if (Change <= Most)
      continue;
    Most = Change;
    Before = D.ClockBefore;
    During = Mean;
  }
  addToCounter(Keys.ClockBefore, static_cast<uint64_t>(Before));
  addToCounter(Keys.ClockDuring, static_cast<uint64_t>(During));
}
