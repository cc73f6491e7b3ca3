// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins by correlation and by External id. Both are sorted joins: keys are
// usually ascending in the file already, which makes the sorts cheap.

#include "Run/Model/LaunchLinks.h"

#include "Run/Model/Run.h"

#include <algorithm>

namespace loopscope {
namespace {

struct Keyed {
  uint64_t Key;
  uint32_t Value;
  bool operator<(const Keyed &Other) const {
    return Key != Other.Key ? Key < Other.Key : Value < Other.Value;
  }
};

void sortKeyed(std::vector<Keyed> &Entries) {
  if (!std::is_sorted(Entries.begin(), Entries.end()))
    std::sort(Entries.begin(), Entries.end());
}

} // namespace

LaunchLinks::LaunchLinks(const EventStream &Trace) {
  std::vector<Keyed> ByCorrelation;
  std::vector<Keyed> ByExternalId;
  std::vector<uint32_t> Work;
  for (uint32_t E = 0; E < Trace.Events.size(); ++E) {
    const TraceEvent &Event = Trace.Events[E];
    if (isDeviceWork(Event.Kind)) {
      Work.push_back(E);
    } else if (Event.Kind == TraceKind::Runtime) {
      auto Number = static_cast<uint32_t>(Runtimes.size());
      Runtimes.push_back(E);
      if (Event.Correlation != 0)
        ByCorrelation.push_back({Event.Correlation, Number});
      if (Event.ExternalId != 0)
        ByExternalId.push_back({Event.ExternalId, Number});
    }
  }

  sortKeyed(ByCorrelation);
  std::vector<Keyed> Pairs; // runtime call number, device event
  Pairs.reserve(Work.size());
  for (uint32_t E : Work) {
    uint64_t Correlation = Trace.Events[E].Correlation;
    auto Found = std::lower_bound(ByCorrelation.begin(), ByCorrelation.end(),
                                  Keyed{Correlation, 0});
    if (Found == ByCorrelation.end() || Found->Key != Correlation)
      Unlaunched.push_back(E);
    else
      Pairs.push_back({Found->Value, E});
  }
  sortKeyed(Pairs);
  FirstLaunch.assign(Runtimes.size() + 1, 0);
  DeviceTime.assign(Runtimes.size(), 0);
  Launched.reserve(Pairs.size());
  for (const Keyed &Pair : Pairs) {
    ++FirstLaunch[Pair.Key + 1];
    Launched.push_back(Pair.Value);
    DeviceTime[Pair.Key] =
        saturatingAdd(DeviceTime[Pair.Key], Trace.Events[Pair.Value].Duration);
  }
  for (size_t I = 1; I < FirstLaunch.size(); ++I)
    FirstLaunch[I] += FirstLaunch[I - 1];

  sortKeyed(ByExternalId);
  for (const Keyed &Entry : ByExternalId) {
    CalledIds.push_back(Entry.Key);
    Called.push_back(Entry.Value);
  }
  uint64_t Highest = CalledIds.empty() ? 0 : CalledIds.back();
  if (Highest < 16 * Trace.Events.size()) {
    DenseStart.assign(Highest + 2, 0);
    for (uint64_t Id : CalledIds)
      ++DenseStart[Id + 1];
    for (size_t I = 1; I < DenseStart.size(); ++I)
      DenseStart[I] += DenseStart[I - 1];
  }
}

std::span<const uint32_t> LaunchLinks::launchedBy(uint32_t I) const {
  return std::span(Launched).subspan(FirstLaunch[I],
                                     FirstLaunch[I + 1] - FirstLaunch[I]);
}

std::span<const uint32_t> LaunchLinks::calledBy(uint64_t ExternalId) const {
  if (!DenseStart.empty()) {
    if (ExternalId + 1 >= DenseStart.size() || ExternalId + 1 == 0)
      return {};
    return std::span(Called).subspan(DenseStart[ExternalId],
                                     DenseStart[ExternalId + 1] -
                                         DenseStart[ExternalId]);
  }
  auto [First, Past] =
      std::equal_range(CalledIds.begin(), CalledIds.end(), ExternalId);
  return std::span(Called).subspan(
      static_cast<size_t>(First - CalledIds.begin()),
      static_cast<size_t>(Past - First));
}

} // namespace loopscope
