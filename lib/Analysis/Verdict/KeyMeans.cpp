// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Averages a phase's keys over their spans.

#include "Analysis/Verdict/KeyMeans.h"

#include "Analysis/Thresholds.h"

#include <algorithm>
#include <cmath>

using namespace loopscope;

namespace {
KeyMean hostMean(const KeySums &Of) {
  auto Count = static_cast<double>(Of.Steady.count());
  return {Of.Key, Of.Steady.count(), Of.Steady.meanNs(),
          static_cast<double>(KeyErrors) * Of.Steady.deviationNs() /
              std::sqrt(Count)};
}

// Whether work that some key launched is missing: each launch brings some.
bool lacksWork(const KeyFamily &Of) {
  return std::ranges::any_of(Of.Keys, [](const KeySums &Each) {
    return Each.Gpu.Calls.Launches > Each.Gpu.Kernels + Each.Gpu.Copies;
  });
}
} // namespace

double KeyMeans::totalNs() const {
  double Result = 0;
  for (const KeyMean &Each : Keys)
    Result += Each.MeanNs * static_cast<double>(Each.Count);
  return Result;
}

KeyClock::KeyClock(const Run &R) : Gpu(R), LongestNs(R.Nodes.size(), 0) {
  // The work of traces is known by time, not by call path.
  IsKnown = std::ranges::none_of(R.Stream.Events, [](const TraceEvent &E) {
    return isDeviceWork(E.Kind);
  });
  for (const GpuWork &Each : R.Gpu.Work)
    if (Each.Node != None)
      LongestNs[Each.Node] = saturatingAdd(LongestNs[Each.Node], Each.MaxNs);
  // Children come after their parents.
  for (size_t I = R.Nodes.size(); I-- > 0;)
    if (uint32_t Parent = R.Nodes[I].Parent; Parent != None)
      LongestNs[Parent] = saturatingAdd(LongestNs[Parent], LongestNs[I]);
}

KeyMean KeyClock::gpuMean(const KeySums &Of) const {
  GpuSums Sum;
  int64_t DoubtNs = Gpu.unsureNs() + (Gpu.isExact() ? 0 : Gpu.overlapNs());
  for (uint32_t Node : Of.SteadyNodes) {
    Sum.add(Gpu.inclusive(Node));
    DoubtNs = saturatingAdd(DoubtNs, LongestNs[Node]);
  }
  auto Count = static_cast<double>(Of.Steady.count());
  return {Of.Key, Of.Steady.count(),
          static_cast<double>(Gpu.busyNs(Sum)) / Count,
          static_cast<double>(DoubtNs) / Count};
}

KeyMeans KeyClock::meansOf(const KeyFamily &Of) const {
  KeyMeans Result;
  Result.IsGpu = std::ranges::any_of(
      Of.Keys, [&](const KeySums &Each) { return Gpu.busyNs(Each.Gpu) > 0; });
  bool IsHost = std::ranges::all_of(
      Of.Keys, [](const KeySums &Each) { return Each.Gpu.isEmpty(); });
  if (!IsKnown || (Result.IsGpu ? lacksWork(Of) : !IsHost))
    return Result;
  for (const KeySums &Each : Of.Keys)
    if (Each.Steady.count() != 0)
      Result.Keys.push_back(Result.IsGpu ? gpuMean(Each) : hostMean(Each));
  return Result;
}
