// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile's overlaps partition each device's time by the call paths that had
// work then, so sums over them are exact.

#include "Analysis/Ranks/ExposedCommunication.h"

#include "Analysis/Account/NestedLoops.h"
#include "Run/Model/Events.h"

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
// By node: whether it is in a step, and whether it communicates on a device.
struct NodeFlags {
  std::vector<bool> InStep;
  uint64_t Steps = 0;
  int64_t StepsNs = 0;

  explicit NodeFlags(const Run &R) : InStep(R.Nodes.size()) {
    for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
      const Node &N = R.Nodes[I];
      if (N.Parent == None)
        continue;
      InStep[I] = InStep[N.Parent];
      if (InStep[I] || N.Kind != LOOPSCOPE_KIND_STEP || N.Excluded)
        continue;
      InStep[I] = true;
      Steps += N.Spans.count();
      StepsNs = saturatingAdd(StepsNs, includedNs(R, I));
    }
  }
};

void add(const Run &R, const GpuOverlap &Each, DeviceStep &To) {
  bool Communicates = false;
  bool Computes = false;
  for (const GpuOverlap::Member &M : Each.Members) {
    bool OnDevice = M.Node != None && R.Nodes[M.Node].IsEnqueued;
    Communicates |= OnDevice;
    Computes |= !OnDevice && M.HasKernels;
  }
  if (Communicates && !Computes && Each.HasMore)
    To.UnknownNs = saturatingAdd(To.UnknownNs, Each.Ns);
  TrafficStep &Sum = To.Average;
  if (Computes)
    Sum.ComputationNs = saturatingAdd(Sum.ComputationNs, Each.Ns);
  if (Communicates)
    Sum.CommunicationNs = saturatingAdd(Sum.CommunicationNs, Each.Ns);
  if (Computes && Communicates)
    Sum.OverlapNs = saturatingAdd(Sum.OverlapNs, Each.Ns);
}

// NCCL kernels in steps that belong to no known operation.
uint64_t unclaimedIn(const Run &R, const NodeFlags &Of) {
  uint64_t Count = 0;
  for (const GpuWork &W : R.Gpu.Work)
    if (W.Communicates && W.Node != None && Of.InStep[W.Node] &&
        !R.Nodes[W.Node].IsEnqueued)
      Count += W.Count;
  return Count;
}
} // namespace

DeviceStep loopscope::deviceStepOf(const Run &R) {
  DeviceStep Result;
  NodeFlags Of(R);
  std::set<uint32_t> Devices;
  for (const GpuOverlap &Each : R.Gpu.Overlaps) {
    bool IsInStep = std::any_of(
        Each.Members.begin(), Each.Members.end(),
        [&](const auto &M) { return M.Node != None && Of.InStep[M.Node]; });
    if (!IsInStep)
      continue;
    Devices.insert(Each.Device);
    add(R, Each, Result);
  }
  if (Result.Average.CommunicationNs == 0 || Of.Steps == 0)
    return {};
  Result.Steps = Of.Steps;
  Result.Devices = Devices.size();
  Result.Unclaimed = unclaimedIn(R, Of);
  auto Count = static_cast<int64_t>(Of.Steps * Devices.size());
  TrafficStep &Step = Result.Average;
  Step.Name = "average";
  for (int64_t *Part : {&Step.ComputationNs, &Step.CommunicationNs,
                        &Step.OverlapNs, &Result.UnknownNs})
    *Part /= Count;
  int64_t Busy = Step.ComputationNs + Step.CommunicationNs - Step.OverlapNs;
  int64_t Length = Of.StepsNs / static_cast<int64_t>(Of.Steps);
  Step.OtherNs = std::max<int64_t>(0, Length - Busy);
  return Result;
}
