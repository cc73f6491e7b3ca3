// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over a trace's events; sets are made of it where they are needed.

#include "Analysis/Steps/RoleCoverage.h"

#include <algorithm>
#include <utility>

namespace loopscope {

const char *roleName(TimeRole Which) {
  constexpr std::array<const char *, RoleCount> Names = {
      "Kernel",     "Memcpy", "Memset",   "Communication", "Runtime",
      "DataLoader", "Wait",   "CPU Exec", "Other"};
  return Names[static_cast<size_t>(Which)];
}

RoleCoverage::RoleCoverage(const EventStream &Trace, std::vector<bool> OnSteps,
                           bool AllThreads)
    : Hosts(Trace.Tracks.size()), OnSteps(std::move(OnSteps)),
      AllThreads(AllThreads), IsByTrack(stepTracks().size() > 1) {
  for (const TraceEvent &Event : Trace.Events)
    add(Event, Trace.Devices[Event.Device].Device);
}

std::vector<uint32_t> RoleCoverage::stepTracks() const {
  std::vector<uint32_t> Result;
  for (uint32_t T = 0; T < OnSteps.size(); ++T)
    if (OnSteps[T])
      Result.push_back(T);
  return Result;
}

void RoleCoverage::add(const TraceEvent &Event, int64_t Device) {
  HostTimes &Host = Hosts[Event.Track];
  auto Add = [&](std::vector<Interval> &To) { To.push_back(Event.time()); };
  if (isDeviceWork(Event.Kind)) {
    DeviceTimes &On = Devices[Device];
    Add(Event.Kind == TraceKind::Memcpy   ? On.Copies
        : Event.Kind == TraceKind::Memset ? On.Sets
        : Event.Use == EventUse::Exchange ? On.Exchanges
                                          : On.Kernels);
  } else if (Event.Kind == TraceKind::Runtime) {
    Add(Event.Use == EventUse::Launch  ? Host.Launch
        : Event.Use == EventUse::Block ? Host.Blocked
                                       : Host.OtherCalls);
  } else if (Event.Kind == TraceKind::Step) {
    Add(Host.Steps);
  } else if (!isMarkedCall(Event.Kind)) {
    return;
  } else if (Event.Use == EventUse::Load) {
    Add(Host.Input);
  } else if (Event.StandsFor == LOOPSCOPE_KIND_WAIT) {
    Add(Host.Waits);
  } else if (Event.Use == EventUse::Exchange) {
    Add(HostCommunication);
    Add(Host.Exchanges);
    if (Event.StandsFor == LOOPSCOPE_KIND_COLLECTIVE)
      Add(Host.Collectives);
  } else {
    if (Event.Use == EventUse::AsksForExchange)
      Add(Host.Exchanges);
    if (Event.Kind != TraceKind::Annotation)
      Add(Host.Execution);
  }
}

// Whether what track HOST does is in the steps on TRACK.
bool RoleCoverage::counts(uint32_t Host, uint32_t Track) const {
  return OnSteps[Host] ? !IsByTrack || Track == AnyTrack || Host == Track
                       : AllThreads;
}

template <typename Function>
void RoleCoverage::visit(TimeRole Which, uint32_t Track, Function Visit) const {
  for (const auto &[Id, On] : Devices)
    if (Which == TimeRole::Kernel)
      Visit(On.Kernels);
    else if (Which == TimeRole::Memcpy)
      Visit(On.Copies);
    else if (Which == TimeRole::Memset)
      Visit(On.Sets);
    else if (Which == TimeRole::Communication)
      Visit(On.Exchanges);
  if (Which == TimeRole::Communication)
    Visit(HostCommunication);
  for (uint32_t T = 0; T < Hosts.size(); ++T) {
    if (!counts(T, Track))
      continue;
    const HostTimes &Host = Hosts[T];
    if (Which == TimeRole::DataLoader)
      Visit(Host.Input);
    else if (Which == TimeRole::Wait && OnSteps[T])
      Visit(Host.Waits);
    else if (Which == TimeRole::CpuExec)
      Visit(Host.Execution);
    if (Which == TimeRole::Runtime)
      for (const auto *Each : {&Host.Launch, &Host.Blocked, &Host.OtherCalls})
        Visit(*Each);
  }
}

bool RoleCoverage::has(TimeRole Which) const {
  bool Found = false;
  visit(Which, AnyTrack, [&](const auto &Times) { Found |= !Times.empty(); });
  return Found;
}

IntervalSet RoleCoverage::of(uint32_t Track, TimeRole Which) const {
  std::vector<Interval> All;
  visit(Which, Track, [&](const auto &Times) {
    All.insert(All.end(), Times.begin(), Times.end());
  });
  return unite(std::move(All));
}

RoleSets RoleCoverage::of(uint32_t Track) const {
  RoleSets Out;
  for (size_t R = 0; R < Out.size(); ++R)
    Out[R] = of(Track, static_cast<TimeRole>(R));
  return Out;
}

IntervalSet RoleCoverage::of(uint32_t Track,
                             std::vector<Interval> HostTimes::*Of) const {
  std::vector<Interval> All;
  for (uint32_t T = 0; T < Hosts.size(); ++T)
    if (counts(T, Track))
      All.insert(All.end(), (Hosts[T].*Of).begin(), (Hosts[T].*Of).end());
  return unite(std::move(All));
}

} // namespace loopscope
