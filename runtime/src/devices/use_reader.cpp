// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVML's performance monitors, energy, and clocks held back.

#include "use_reader.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "nvml_library.h"

#include <string.h>

using namespace loopscope::runtime;
using namespace loopscope::runtime::nvml;

namespace {
// After a reading that took longer, its time isn't known well enough.
constexpr uint64_t LongestReadingNs = 5 * NsPerMs;
constexpr uint64_t RetryNs = 10 * NsPerSecond;
// The first values may be from before the first reading (one of the first three
// was 28 points off on an H100).
constexpr unsigned FirstLeftOut = 3;
constexpr double Mega = 1e6;
constexpr double Mebi = 1024 * 1024;

struct Monitor {
  unsigned Id; // NVML's
  DeviceUseOf Use;
  double Scale;
};
// Transfers by PCIe are in 10^6 bytes (H100, driver 580: 49.9 GB/s give
// 49,933), whatever the documentation says; by NVLink in MiB, by the
// documentation.
constexpr Monitor Monitors[] = {
    {2, DeviceUseOf::SmActive, 1},
    {3, DeviceUseOf::SmOccupancy, 1},
    {5, DeviceUseOf::TensorActive, 1},
    {6, DeviceUseOf::TensorDoubleFma, 1},
    {7, DeviceUseOf::TensorHalf, 1},
    {8, DeviceUseOf::TensorDouble, 1},
    {9, DeviceUseOf::TensorInteger, 1},
    {10, DeviceUseOf::DramActive, 1},
    {11, DeviceUseOf::Fp64Active, 1},
    {12, DeviceUseOf::Fp32Active, 1},
    {13, DeviceUseOf::Fp16Active, 1},
    {20, DeviceUseOf::PcieSent, Mega},
    {21, DeviceUseOf::PcieReceived, Mega},
    {60, DeviceUseOf::NvlinkReceived, Mebi},
    {61, DeviceUseOf::NvlinkSent, Mebi},
};

struct Counter {
  unsigned Field;
  DeviceUseOf Use;
  double Scale; // of the difference per nanosecond
};
constexpr Counter Counters[] = {
    {EnergyField, DeviceUseOf::Power, 1e6}, // mJ per ns
    {PowerLimitField, DeviceUseOf::HeldByPower, 100},
    {SoftHeatField, DeviceUseOf::HeldByHeat, 100},
    {HardHeatField, DeviceUseOf::HeldByHeat, 100},
    {PowerBrakeField, DeviceUseOf::HeldByBrake, 100},
};

uint64_t numberOf(const Field &F) {
  constexpr int Unsigned = 1;
  return F.Type == Unsigned ? F.Value.Small : F.Value.Large;
}
} // namespace

bool UseReader::canAllocate() {
  for (void *&Each : Samples)
    if (Each == nullptr && Nvml.Call.AllocateSample(&Each) != Success)
      return false;
  return true;
}

// The values between the two samples.
bool UseReader::compare(DeviceUse &Result) {
  static Comparison Request; // too large for the stack
  memset(&Request, 0, sizeof(Request));
  Request.Version = 1;
  Request.First = Samples[0];
  Request.Second = Samples[1];
  for (const Monitor &Each : Monitors)
    Request.Values[Request.Count++].Id = Each.Id;
  if (Nvml.Call.Compare(&Request) != Success)
    return false;
  for (unsigned I = 0; I < Request.Count; ++I) {
    const MonitorValue &V = Request.Values[I];
    // Not a number, if the counters weren't renewed in between.
    if (V.Result == Success && V.Value >= 0 && V.Value < 1e12)
      Result.set(Monitors[I].Use, V.Value * Monitors[I].Scale);
  }
  return true;
}

bool UseReader::askForMonitors(void *Handle) {
  MonitorSupport Support = {1, 0};
  return Nvml.Call.MonitorsSupported != nullptr &&
         Nvml.Call.AllocateSample != nullptr &&
         Nvml.Call.TakeSample != nullptr && Nvml.Call.Compare != nullptr &&
         Nvml.Call.MonitorsSupported(Handle, &Support) == Success &&
         Support.IsSupported != 0 && canAllocate();
}

// False: there is no reading.
bool UseReader::takeSample(void *Handle, DeviceUse &Result, Text &Note) {
  uint64_t Before = monotonicNs();
  int Code = Nvml.Call.TakeSample(Handle, Samples[1]);
  if (Code != Success) {
    HasSample = false;
    MonitorsNotBeforeNs = Before + RetryNs;
    HasNone[static_cast<uint32_t>(DeviceUseSource::Monitors)] =
        Code == NotSupported || Code == FunctionNotFound || Code == GpuIsLost;
    if (Code == NoPermission && !SaidRights) {
      SaidRights = true;
      note(Note, "no use of the hardware of GPU ",
           static_cast<int64_t>(Result.Device), ": ", errorText(Code));
    }
    return false;
  }
  if (monotonicNs() - Before > LongestReadingNs) {
    HasSample = false;
    return false;
  }
  return true;
}

bool UseReader::readMonitors(void *Handle, DeviceUse &Result, Text &Note) {
  bool &None = HasNone[static_cast<uint32_t>(DeviceUseSource::Monitors)];
  if (!IsAsked) {
    IsAsked = true;
    HasMonitors = askForMonitors(Handle);
    None = !HasMonitors && !Sampled.AreWanted;
  }
  if (None)
    return false;
  Result.Ticks = now();
  bool HasValues = Sampled.AreWanted;
  if (HasMonitors) {
    if (!takeSample(Handle, Result, Note))
      return false;
    HasValues |= HasSample && ++Compared > FirstLeftOut && compare(Result);
    HasSample = true;
    void *Kept = Samples[0];
    Samples[0] = Samples[1];
    Samples[1] = Kept;
  }
  unsigned Megahertz = 0;
  if (HasValues && Nvml.Call.GetClock != nullptr &&
      Nvml.Call.GetClock(Handle, ClockOfSm, &Megahertz) == Success)
    Result.set(DeviceUseOf::ClockOfSm, Megahertz * Mega);
  Result.Known &= ~Sampled.of(Result.Device);
  return true;
}

bool UseReader::readCounters(void *Handle, DeviceUse &Result) {
  bool &None = HasNone[static_cast<uint32_t>(DeviceUseSource::Counters)];
  if (None)
    return false;
  Field Fields[CounterCount] = {};
  for (unsigned I = 0; I < CounterCount; ++I)
    Fields[I].Id = Counters[I].Field;
  Result.Ticks = now();
  uint64_t Ns = monotonicNs();
  if (Nvml.Call.GetFields == nullptr ||
      Nvml.Call.GetFields(Handle, CounterCount, Fields) != Success) {
    None = true;
    return false;
  }
  double Values[DeviceUseCount] = {};
  bool Any = false;
  for (unsigned I = 0; I < CounterCount; ++I) {
    const Counter &C = Counters[I];
    Counts Now = {Fields[I].Result == Success, numberOf(Fields[I])};
    Any |= Now.Known;
    if (Now.Known && Last[I].Known && Now.Value >= Last[I].Value &&
        Ns > LastCountersNs) {
      double &Value = Values[static_cast<uint32_t>(C.Use)];
      Value += static_cast<double>(Now.Value - Last[I].Value) * C.Scale /
               static_cast<double>(Ns - LastCountersNs);
      Result.set(C.Use, Value);
    }
    Last[I] = Now;
  }
  LastCountersNs = Ns;
  None = !Any;
  return Any;
}

bool UseReader::read(DeviceUseSource Source, void *Handle, uint32_t Ordinal,
                     uint64_t Ns, DeviceUse &Result, Text &Note) {
  if (Source == DeviceUseSource::Monitors && Ns < MonitorsNotBeforeNs)
    return false;
  BusyMark Mark;
  Result.Device = Ordinal;
  Result.Source = Source;
  return Source == DeviceUseSource::Monitors
             ? readMonitors(Handle, Result, Note)
             : readCounters(Handle, Result);
}
