// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device work and CUDA calls of a trace, with the call paths of its tree.

#include "Run/Model/DeviceLanes.h"

#include "Run/Model/CallTree.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/LaunchLinks.h"
#include "Run/Model/TraceNumbers.h"

#include <algorithm>
#include <map>

namespace loopscope {
namespace {

class DeviceLanes {
public:
  explicit DeviceLanes(Run &To)
      : Stream(To.Stream), Links(*To.Stream.Links), First(Stream.start()),
        To(To.Gpu) {}

  // Work has its call's number, starting at 1, as its correlation: a trace's
  // own ids may be wider.
  void build() {
    std::vector<uint32_t> CallOf(Stream.Events.size(), 0);
    for (uint32_t I = 0; I < Links.runtimes().size(); ++I)
      for (uint32_t Work : Links.launchedBy(I))
        CallOf[Work] = I + 1;
    for (uint32_t E = 0; E < Stream.Events.size(); ++E)
      if (isDeviceWork(Stream.Events[E].Kind))
        addWork(E, CallOf[E]);
    for (uint32_t I = 0; I < Links.runtimes().size(); ++I)
      if (uint32_t E = Links.runtimes()[I];
          Stream.Events[E].Use != EventUse::None)
        addCall(E, I + 1);
    std::stable_sort(To.Events.begin(), To.Events.end(),
                     [](const GpuEvent &A, const GpuEvent &B) {
                       return A.StartNs < B.StartNs;
                     });
  }

private:
  GpuEvent &add(uint32_t E, loopscope_gpu_kind Kind, uint32_t Call) {
    const TraceEvent &Event = Stream.Events[E];
    GpuEvent &Added = To.Events.emplace_back();
    Added.StartNs = Event.Start - First;
    Added.EndNs = Event.end() - First;
    Added.Kind = Kind;
    Added.Node = Stream.NodeOf[E];
    Added.Correlation = Call;
    return Added;
  }

  // A call that launches work or waits for it.
  void addCall(uint32_t E, uint32_t Number) {
    const TraceEvent &Event = Stream.Events[E];
    auto [Function, IsNew] = FunctionOf.try_emplace(
        Event.Name, static_cast<uint32_t>(To.Functions.size()));
    if (IsNew)
      To.Functions.emplace_back(Stream.name(Event));
    GpuEvent &Call =
        add(E,
            Event.Use == EventUse::Block ? LOOPSCOPE_GPU_WAIT_CALL
                                         : LOOPSCOPE_GPU_LAUNCH_CALL,
            Number);
    Call.Function = Function->second;
    Call.WaitsForDevice = Event.Use == EventUse::Block &&
                          waitsForDevice(To.Functions[Call.Function]);
    Call.Thread = Stream.ThreadOf[Event.Track];
  }

  void addWork(uint32_t E, uint32_t Call) {
    const TraceEvent &Event = Stream.Events[E];
    GpuEvent &Work = add(E,
                         Event.Kind == TraceKind::Kernel ? LOOPSCOPE_GPU_KERNEL
                         : Event.Kind == TraceKind::Memcpy ? LOOPSCOPE_GPU_COPY
                                                           : LOOPSCOPE_GPU_SET,
                         Call);
    Work.Device = deviceOf(Stream.Devices[Event.Device].Device);
    int64_t Number = 0;
    parseWhole(stepNumber(Stream.Strings[Stream.Tracks[Event.Track].Tid]),
               Number);
    Work.Stream = static_cast<uint32_t>(Number);
  }

  uint32_t deviceOf(int64_t Id) {
    auto [At, IsNew] =
        DeviceOf.try_emplace(Id, static_cast<uint32_t>(To.Devices.size()));
    if (IsNew)
      To.Devices.emplace_back().Id = static_cast<uint32_t>(Id);
    return At->second;
  }

  const EventStream &Stream;
  const LaunchLinks &Links;
  int64_t First;
  GpuData &To;
  std::map<uint32_t, uint32_t> FunctionOf; // by name
  std::map<int64_t, uint32_t> DeviceOf;
};

} // namespace

void addTimeline(Run &To) {
  if (!To.By->KeepsEvents || !To.Timeline.empty())
    return;
  addTree(To, EventNodes::Yes, &To.Timeline);
  To.StartMonotonicNs = To.Stream.start();
  DeviceLanes(To).build();
}

} // namespace loopscope
