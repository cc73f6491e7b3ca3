// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over a trace's events: what each of them covers.

#include "Analysis/Steps/RoleCoverage.h"

#include <algorithm>
#include <utility>

namespace loopscope {

const char *roleName(Role Which) {
  constexpr std::array<const char *, RoleCount> Names = {
      "Kernel",     "Memcpy", "Memset",   "Communication", "Runtime",
      "DataLoader", "Wait",   "CPU Exec", "Other"};
  return Names[static_cast<size_t>(Which)];
}

RoleCoverage::RoleCoverage(const EventStream &Trace, std::vector<bool> OnSteps)
    : Trace(Trace), OnSteps(std::move(OnSteps)) {
  auto Tracks = std::count(this->OnSteps.begin(), this->OnSteps.end(), true);
  IsByTrack = Tracks > 1;
  for (const TraceEvent &Event : Trace.Events)
    add(Event);
}

RoleSets RoleCoverage::of(uint32_t Track) const {
  auto Own = OfTrack.find(Track);
  RoleSets Out;
  for (size_t R = 0; R < Out.size(); ++R) {
    std::vector<Interval> Times = Shared[R];
    if (Own != OfTrack.end())
      Times.insert(Times.end(), Own->second[R].begin(), Own->second[R].end());
    Out[R] = unite(std::move(Times));
  }
  return Out;
}

void RoleCoverage::addShared(Role To, const TraceEvent &Event) {
  Has[static_cast<size_t>(To)] = true;
  Shared[static_cast<size_t>(To)].push_back(Event.time());
}

// Adds what a thread of the host did.
void RoleCoverage::addHost(Role To, const TraceEvent &Event) {
  bool IsOnSteps = OnSteps[Event.Track];
  if (!IsOnSteps && (Trace.ThreadsAreApart || To == Role::Wait))
    return;
  if (!IsByTrack || !IsOnSteps) {
    addShared(To, Event);
    return;
  }
  Has[static_cast<size_t>(To)] = true;
  OfTrack[Event.Track][static_cast<size_t>(To)].push_back(Event.time());
}

void RoleCoverage::addNamed(const TraceEvent &Event) {
  if (Event.Use == EventUse::Load)
    addHost(Role::DataLoader, Event);
  else if (Event.StandsFor == LOOPSCOPE_KIND_WAIT)
    addHost(Role::Wait, Event);
  else if (Event.Use == EventUse::Exchange)
    addShared(Role::Communication, Event);
  else if (Event.Kind != TraceKind::Annotation)
    addHost(Role::CpuExec, Event);
}

void RoleCoverage::add(const TraceEvent &Event) {
  switch (Event.Kind) {
  case TraceKind::Kernel:
    addShared(Event.Use == EventUse::Exchange ? Role::Communication
                                              : Role::Kernel,
              Event);
    break;
  case TraceKind::Memcpy:
    addShared(Role::Memcpy, Event);
    break;
  case TraceKind::Memset:
    addShared(Role::Memset, Event);
    break;
  case TraceKind::Runtime:
    addHost(Role::Runtime, Event);
    break;
  case TraceKind::Annotation:
  case TraceKind::Operator:
  case TraceKind::Python:
    addNamed(Event);
    break;
  default:
    break;
  }
}

} // namespace loopscope
