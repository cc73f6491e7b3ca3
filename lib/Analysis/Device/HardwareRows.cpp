// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every window counts on its whole call path.

#include "Analysis/Device/HardwareRows.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <numeric>

using namespace loopscope;

namespace {
size_t indexOf(HardwareId Id) {
  std::span<const HardwareKind> Kinds = hardwareKinds();
  return static_cast<size_t>(std::ranges::find(Kinds, Id, &HardwareKind::Id) -
                             Kinds.begin());
}

HardwareOfGpu &gpuOf(HardwareByPath &All, uint32_t Device) {
  for (HardwareOfGpu &Each : All.Gpus)
    if (Each.Device == Device)
      return Each;
  All.Gpus.push_back({});
  All.Gpus.back().Device = Device;
  All.Gpus.back().Paths.resize(All.Tree.size());
  return All.Gpus.back();
}
} // namespace

void HardwareSum::add(const HardwareUse &U) {
  Max = Windows == 0 ? U.Max : std::max(Max, U.Max);
  Windows += U.Windows;
  Ns = saturatingAdd(Ns, U.Ns);
  Integral += U.Integral;
}

void HardwareSum::add(const HardwareSum &Other) {
  Max = std::max(Max, Other.Max);
  Windows += Other.Windows;
  Ns = saturatingAdd(Ns, Other.Ns);
  Integral += Other.Integral;
}

void HardwareRow::add(const HardwareRow &Other) {
  for (size_t I = 0; I < Sums.size(); ++I)
    Sums[I].add(Other.Sums[I]);
}

HardwareRow::HardwareRow() : Sums(hardwareKinds().size()) {}

const HardwareSum &HardwareRow::of(HardwareId Id) const {
  return Sums[indexOf(Id)];
}

std::optional<double> HardwareRow::mean(HardwareId Id) const {
  const HardwareSum &Sum = of(Id);
  if (Sum.Windows < FewestWindows || Sum.Ns <= 0)
    return std::nullopt;
  return Sum.mean();
}

uint64_t HardwareRow::windows() const {
  return std::ranges::max(Sums, {}, &HardwareSum::Windows).Windows;
}

int64_t HardwareRow::ns() const {
  return std::ranges::max(Sums, {}, &HardwareSum::Ns).Ns;
}

bool loopscope::holdsIdleTime(loopscope_kind Kind) {
  return isStage(Kind) || Kind == LOOPSCOPE_KIND_EPOCH ||
         Kind == LOOPSCOPE_KIND_TRAIN || Kind == LOOPSCOPE_KIND_VALID ||
         Kind == LOOPSCOPE_KIND_STEP;
}

uint64_t loopscope::sampledEvery(const Run &R, const HardwareOfGpu &Of) {
  // NVML's windows are at least 125 ms long, samples at most 10.
  constexpr int64_t BetweenNs = 50'000'000;
  auto IsFine = [&](HardwareId Id) {
    const HardwareSum &Sum = Of.All.of(Id);
    return Sum.Windows != 0 &&
           Sum.Ns / static_cast<int64_t>(Sum.Windows) < BetweenNs;
  };
  return IsFine(HardwareId::SmActive) || IsFine(HardwareId::DramActive)
             ? R.Given.of(LOOPSCOPE_SETTING_GPU_COUNTERS)
             : 0;
}

bool loopscope::mayBeSampled(const Run &R) {
  constexpr uint32_t FirstCupti = 24; // of CUDA 12.6
  // GA100 and Turing lack the trigger.
  auto HasTrigger = [](const GpuDevice &D) {
    return D.ComputeMajor > 8 || (D.ComputeMajor == 8 && D.ComputeMinor >= 6);
  };
  return R.Gpu.CuptiVersion >= FirstCupti &&
         std::ranges::all_of(R.Gpu.Devices, HasTrigger) &&
         R.Gpu.Note.find("PM sampling") == std::string::npos;
}

HardwareOfGpu loopscope::gpusTogether(const HardwareByPath &All) {
  HardwareOfGpu Sum;
  Sum.Paths.resize(All.Tree.size());
  for (const HardwareOfGpu &Each : All.Gpus) {
    Sum.All.add(Each.All);
    for (size_t I = 0; I < Each.Paths.size(); ++I)
      Sum.Paths[I].add(Each.Paths[I]);
  }
  return Sum;
}

HardwareByPath loopscope::hardwareByPath(const Run &R, const GpuByNode &Gpu) {
  HardwareByPath All;
  if (R.Gpu.Uses.empty())
    return All;
  std::vector<uint32_t> Threads(R.Threads.size());
  std::iota(Threads.begin(), Threads.end(), 0U);
  std::vector<uint32_t> PathOf;
  All.Tree = mergeTrees(R, Threads, &Gpu, &PathOf);
  All.NodesOf.resize(All.Tree.size());
  for (uint32_t I = 0; I < PathOf.size(); ++I)
    if (PathOf[I] != None)
      All.NodesOf[PathOf[I]].push_back(I);
  std::vector<uint32_t> Parent(All.Tree.size(), None);
  for (uint32_t I = 0; I < All.Tree.size(); ++I)
    for (uint32_t Child : All.Tree[I].Children)
      Parent[Child] = I;
  for (const HardwareUse &Each : R.Gpu.Uses) {
    HardwareOfGpu &To = gpuOf(All, Each.Device);
    size_t I = indexOf(Each.Id);
    To.All.Sums[I].add(Each);
    if (Each.Owner == LOOPSCOPE_USE_OF_IDLE)
      To.Idle.Sums[I].add(Each);
    if (Each.Owner == LOOPSCOPE_USE_OF_MANY)
      To.Many.Sums[I].add(Each);
    uint32_t At = Each.Node == None ? None : PathOf[Each.Node];
    for (; At != None; At = Parent[At])
      To.Paths[At].Sums[I].add(Each);
  }
  std::ranges::sort(All.Gpus, {}, &HardwareOfGpu::Device);
  return All;
}
