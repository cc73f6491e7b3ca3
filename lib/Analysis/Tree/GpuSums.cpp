// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up GPU figures over call paths.

#include "Analysis/Tree/GpuSums.h"

#include <algorithm>

using namespace loopscope;

namespace {
void addTo(int64_t &To, int64_t Ns) { To = saturatingAdd(To, Ns); }

// Removes duplicates and puts an overlap's kernels after all of its work.
void sortOverlaps(std::vector<uint32_t> &Overlaps) {
  std::sort(Overlaps.begin(), Overlaps.end());
  Overlaps.erase(std::unique(Overlaps.begin(), Overlaps.end()), Overlaps.end());
}

void add(GpuCalls &To, const GpuCalls &From) {
  To.Launches += From.Launches;
  To.Waits += From.Waits;
  To.Others += From.Others;
  addTo(To.LaunchNs, From.LaunchNs);
  addTo(To.WaitNs, From.WaitNs);
  addTo(To.OtherNs, From.OtherNs);
}
} // namespace

void GpuSums::add(const GpuSums &Other) {
  ::add(Calls, Other.Calls);
  Kernels += Other.Kernels;
  Copies += Other.Copies;
  addTo(WorkNs, Other.WorkNs);
  addTo(KernelNs, Other.KernelNs);
  addTo(IdleNs, Other.IdleNs);
  Allocations += Other.Allocations;
  MemoryPeak = std::max(MemoryPeak, Other.MemoryPeak);
  Overlaps.insert(Overlaps.end(), Other.Overlaps.begin(), Other.Overlaps.end());
  // Sorted each time the number doubles, so that adding n of them doesn't take
  // time in the order of n squared.
  constexpr size_t Few = 64;
  if (Overlaps.size() > 2 * OverlapsOnce + Few) {
    sortOverlaps(Overlaps);
    OverlapsOnce = Overlaps.size();
  }
  UnionNs.resize(std::max(UnionNs.size(), Other.UnionNs.size()));
  KernelUnionNs.resize(UnionNs.size());
  for (size_t D = 0; D < Other.UnionNs.size(); ++D) {
    addTo(UnionNs[D], Other.UnionNs[D]);
    addTo(KernelUnionNs[D], Other.KernelUnionNs[D]);
  }
}

bool GpuSums::isEmpty() const {
  return Kernels == 0 && Copies == 0 && Allocations == 0 &&
         Calls.Launches == 0 && Calls.Waits == 0 && Calls.Others == 0;
}

GpuByNode::GpuByNode(const Run &R) : R(R) {
  const GpuData &G = R.Gpu;
  if (!G.hasData())
    return;
  Own.resize(R.Nodes.size());
  auto Of = [&](uint32_t Node) -> GpuSums & {
    return Node == None ? Unlaunched : Own[Node];
  };
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    Own[I].Calls = R.Nodes[I].Calls;
  for (const GpuWork &W : G.Work) {
    GpuSums &To = Of(W.Node);
    bool IsKernel = W.Kind == LOOPSCOPE_GPU_KERNEL;
    (IsKernel ? To.Kernels : To.Copies) += W.Count;
    addTo(To.WorkNs, W.SumNs);
    if (IsKernel)
      addTo(To.KernelNs, W.SumNs);
  }
  for (const GpuMemory &M : G.Memory) {
    GpuSums &To = Of(M.Node);
    To.Allocations += M.Allocations;
    if (M.Kind == LOOPSCOPE_GPU_DEVICE_MEMORY)
      To.MemoryPeak = std::max(To.MemoryPeak, M.PeakBytes);
  }
  std::vector<int64_t> Unions(G.Devices.size(), 0);
  for (const GpuNode &N : G.Nodes) {
    GpuSums &To = Of(N.Node);
    To.UnionNs.resize(G.Devices.size());
    To.KernelUnionNs.resize(G.Devices.size());
    addTo(To.UnionNs[N.Device], N.BusyNs);
    addTo(To.KernelUnionNs[N.Device], N.KernelNs);
    addTo(To.IdleNs, N.IdleNs);
    addTo(Unions[N.Device], N.BusyNs);
  }
  addOverlaps();
  for (size_t D = 0; D < Unions.size(); ++D) {
    Exact &= Unions[D] == 0 || HasOverlaps[D];
    if (!HasOverlaps[D])
      addTo(Overlap, std::max<int64_t>(0, Unions[D] - G.Devices[D].BusyNs));
  }
  // Children come after their parents.
  Inclusive = Own;
  for (size_t I = R.Nodes.size(); I-- > 0;)
    if (R.Nodes[I].Parent != None)
      Inclusive[R.Nodes[I].Parent].add(Inclusive[I]);
}

void GpuByNode::addOverlaps() {
  HasOverlaps.resize(R.Gpu.Devices.size());
  for (uint32_t I = 0; I < R.Gpu.Overlaps.size(); ++I) {
    const GpuOverlap &O = R.Gpu.Overlaps[I];
    HasOverlaps[O.Device] = true;
    if (O.HasMore)
      addTo(Unsure, O.Ns);
    for (size_t Others = 1; Others < O.Members.size(); ++Others)
      addTo(Overlap, O.Ns);
    for (const GpuOverlap::Member &M : O.Members) {
      GpuSums &To = M.Node == None ? Unlaunched : Own[M.Node];
      To.Overlaps.push_back(I * 2);
      if (M.HasKernels)
        To.Overlaps.push_back(I * 2 + 1);
    }
  }
}

int64_t GpuByNode::unionOf(const GpuSums &Sums, bool KernelsAlone) const {
  std::vector<uint32_t> Overlaps = Sums.Overlaps;
  sortOverlaps(Overlaps);
  int64_t Ns = 0;
  for (uint32_t Each : Overlaps)
    if ((Each % 2 != 0) == KernelsAlone)
      addTo(Ns, R.Gpu.Overlaps[Each / 2].Ns);
  return Ns;
}

const GpuSums &GpuByNode::own(uint32_t Node) const {
  return hasData() ? Own[Node] : Nothing;
}

const GpuSums &GpuByNode::inclusive(uint32_t Node) const {
  return hasData() ? Inclusive[Node] : Nothing;
}

int64_t GpuByNode::busyNs(const GpuSums &Sums) const {
  int64_t Busy = unionOf(Sums, false);
  for (size_t D = 0; D < Sums.UnionNs.size(); ++D)
    if (!HasOverlaps[D])
      addTo(Busy, std::min(Sums.UnionNs[D], R.Gpu.Devices[D].BusyNs));
  return Busy;
}

int64_t GpuByNode::kernelNs(const GpuSums &Sums) const {
  int64_t Kernels = unionOf(Sums, true);
  for (size_t D = 0; D < Sums.KernelUnionNs.size(); ++D)
    if (!HasOverlaps[D])
      addTo(Kernels, std::min({Sums.KernelUnionNs[D], R.Gpu.Devices[D].KernelNs,
                               R.Gpu.Devices[D].BusyNs}));
  return Kernels;
}
