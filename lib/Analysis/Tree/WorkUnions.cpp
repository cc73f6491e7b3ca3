// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unions for rows: of all work with a name, of one call path's work, and of
// several call paths' work that never ran at once.

#include "Analysis/Tree/WorkUnions.h"

#include <algorithm>
#include <unordered_set>

using namespace loopscope;

WorkUnions::WorkUnions(const Run &R) : R(R) {
  const GpuData &G = R.Gpu;
  for (const GpuSameWork &Each : G.SameWork)
    Wholes.insert({Each.Name, {Each.BusyNs, 0}});
  for (const GpuWork &Each : G.Work)
    if (auto Found = Wholes.find(Each.name()); Found != Wholes.end())
      ++Found->second.Works;
  OverlapsOf.resize(R.Nodes.size() + 1);
  TellsOverlaps.resize(G.Devices.size());
  for (const GpuOverlap &Each : G.Overlaps)
    TellsOverlaps[Each.Device] = true;
  for (uint32_t I = 0; I < G.Overlaps.size(); ++I) {
    const GpuOverlap &Each = G.Overlaps[I];
    if (Each.HasMore)
      TellsOverlaps[Each.Device] = false;
    for (const GpuOverlap::Member &M : Each.Members)
      OverlapsOf[std::min<size_t>(M.Node, R.Nodes.size())].push_back(I);
  }
}

const std::vector<uint32_t> &WorkUnions::overlapsOf(uint32_t Node) const {
  return OverlapsOf[std::min<size_t>(Node, R.Nodes.size())];
}

int64_t WorkUnions::onDevice(uint32_t Device,
                             const std::vector<uint32_t> &Works) const {
  const GpuWork &First = R.Gpu.Work[Works.front()];
  if (Works.size() == 1)
    return First.BusyNs;
  auto Whole = Wholes.find(First.name());
  if (Whole != Wholes.end() && Whole->second.Works == Works.size() &&
      std::all_of(Works.begin(), Works.end(), [&](uint32_t W) {
        return R.Gpu.Work[W].name() == First.name();
      }))
    return Whole->second.BusyNs;
  if (!TellsOverlaps[Device])
    return -1;
  int64_t Ns = 0;
  std::unordered_set<uint32_t> Nodes;
  std::unordered_set<uint32_t> Overlaps;
  for (uint32_t W : Works) {
    const GpuWork &Each = R.Gpu.Work[W];
    bool IsApart = Each.BusyNs >= 0 && Nodes.insert(Each.Node).second;
    for (uint32_t Overlap : overlapsOf(Each.Node))
      if (R.Gpu.Overlaps[Overlap].Device == Device)
        IsApart &= Overlaps.insert(Overlap).second;
    if (!IsApart)
      return -1;
    Ns = saturatingAdd(Ns, Each.BusyNs);
  }
  return Ns;
}

int64_t WorkUnions::of(const std::vector<uint32_t> &Works) const {
  std::map<uint32_t, std::vector<uint32_t>> OnDevices;
  for (uint32_t W : Works)
    OnDevices[R.Gpu.Work[W].Device].push_back(W);
  int64_t Ns = 0;
  for (const auto &[Device, Some] : OnDevices) {
    int64_t Next = onDevice(Device, Some);
    if (Next < 0)
      return -1;
    Ns = saturatingAdd(Ns, Next);
  }
  return Ns;
}
