// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares ranks' average steps, phase by phase.

#include "Analysis/Ranks/LateDevices.h"

#include "Analysis/Ranks/ExposedCommunication.h"
#include "Analysis/Ranks/Stragglers.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/PhaseKey.h"
#include "Analysis/Tree/UsefulTime.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A phase's part of an average step, ns.
struct PhaseStep {
  double DeviceNs = 0;
  double HostNs = 0;
};
using PhaseSteps = std::map<PhaseKey, PhaseStep>;

// The phase that node N is or belongs to.
uint32_t phaseNode(const Run &R, uint32_t N) {
  while (R.Nodes[N].Kind == LOOPSCOPE_KIND_FUNCTION ||
         R.Nodes[N].Kind == LOOPSCOPE_KIND_OPERATOR)
    N = R.Nodes[N].Parent;
  return N;
}

PhaseSteps averageStep(const Run &R, const std::vector<bool> &Within,
                       uint64_t Steps) {
  PhaseSteps Result;
  GpuByNode Gpu(R);
  std::map<PhaseKey, GpuSums> Device;
  std::vector<bool> IsWaiting(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent != None)
      IsWaiting[I] = IsWaiting[N.Parent];
    IsWaiting[I] = IsWaiting[I] || isWaitOrCollective(N.Kind);
    if (!Within[I] || N.IsEnqueued)
      continue;
    PhaseKey Key = phaseKeyOf(R, phaseNode(R, I));
    if (!IsWaiting[I])
      Result[Key].HostNs +=
          static_cast<double>(std::max<int64_t>(0, N.SelfNs - N.Calls.WaitNs));
    if (Gpu.hasData())
      Device[Key].add(Gpu.own(I));
  }
  for (auto &[Key, Sums] : Device)
    Result[Key].DeviceNs = static_cast<double>(Gpu.busyNs(Sums));
  for (auto &[Key, Each] : Result) {
    Each.DeviceNs /= static_cast<double>(Steps);
    Each.HostNs /= static_cast<double>(Steps);
  }
  return Result;
}

// By how much LATE exceeds the upper median of the others.
double excessOf(std::vector<double> All, size_t Late) {
  double Own = All[Late];
  return Own - medianOfOthers(std::move(All), Late);
}

// By how much a phase takes the late rank longer, ns per step.
struct PhaseExcess {
  PhaseKey Key;
  double DeviceNs;
  double HostNs;
  double LateDeviceNs; ///< the late rank's, in all
};

std::vector<PhaseExcess> excesses(const std::vector<PhaseSteps> &Ranks,
                                  size_t Late) {
  std::vector<PhaseExcess> Result;
  for (const auto &[Key, Own] : Ranks[Late]) {
    std::vector<double> Device;
    std::vector<double> Host;
    for (const PhaseSteps &Each : Ranks) {
      auto Found = Each.find(Key);
      Device.push_back(Found == Each.end() ? 0 : Found->second.DeviceNs);
      Host.push_back(Found == Each.end() ? 0 : Found->second.HostNs);
    }
    Result.push_back({Key, excessOf(std::move(Device), Late),
                      excessOf(std::move(Host), Late), Own.DeviceNs});
  }
  return Result;
}

// The part of LATE_NS, the lateness, that the device's work in all phases
// together explains; 0 if one of the phases that matter isn't slower.
double wholeDevice(const std::vector<PhaseExcess> &Of, double LateNs) {
  double All = 0;
  double Sum = 0;
  for (const PhaseExcess &Each : Of)
    All += Each.LateDeviceNs;
  size_t Phases = 0;
  for (const PhaseExcess &Each : Of) {
    bool DoesCount = Each.LateDeviceNs > RanksDevicePhase * All;
    if (DoesCount && Each.DeviceNs <= 0)
      return 0;
    Phases += DoesCount ? 1 : 0;
    Sum += Each.DeviceNs;
  }
  return Phases < 2 ? 0 : std::min(1.0, Sum / LateNs);
}

// The phases that each explain the lateness alone.
std::vector<const PhaseExcess *> explaining(const std::vector<PhaseExcess> &Of,
                                            double LateNs) {
  std::vector<const PhaseExcess *> Result;
  for (const PhaseExcess &Each : Of)
    if (std::max(Each.DeviceNs, Each.HostNs) >= RanksExplained * LateNs)
      Result.push_back(&Each);
  return Result;
}
} // namespace

double loopscope::mostLostOnDevices(const std::vector<Run> &All,
                                    const StageRanks &Of) {
  double ExposedNs = 0;
  double StepNs = 0;
  for (size_t R = 0; R < All.size(); ++R) {
    const RankRow &Row = Of.Rows[R];
    DeviceStep Step = deviceStepOf(All[R]);
    if (Row.Steps == 0 || Step.Steps == 0)
      return 1;
    ExposedNs =
        std::max(ExposedNs, static_cast<double>(Step.Average.CommunicationNs -
                                                Step.Average.OverlapNs));
    StepNs +=
        static_cast<double>(Row.ElapsedNs) / static_cast<double>(Row.Steps);
  }
  return StepNs > 0
             ? std::min(1.0,
                        ExposedNs * static_cast<double>(All.size()) / StepNs)
             : 1;
}

void loopscope::explainLateDevice(const std::vector<Run> &All,
                                  const std::vector<std::vector<bool>> &Within,
                                  StageRanks &To) {
  Straggler &Late = To.Late;
  RankRow &Row = To.Rows[Late.Row];
  if (Late.Kind != StragglerKind::Persistent || Row.LateNs <= 0)
    return;
  std::vector<PhaseSteps> Ranks;
  for (size_t R = 0; R < All.size(); ++R) {
    if (To.Rows[R].Steps == 0)
      return;
    Ranks.push_back(averageStep(All[R], Within[R], To.Rows[R].Steps));
  }
  double LateNs =
      static_cast<double>(Row.LateNs) / static_cast<double>(To.StepsCompared);
  std::vector<PhaseExcess> Of = excesses(Ranks, Late.Row);
  std::vector<const PhaseExcess *> Why = explaining(Of, LateNs);
  if (Why.empty())
    Late.WholeDevice = wholeDevice(Of, LateNs);
  if (Late.WholeDevice < RanksExplained)
    Late.WholeDevice = 0;
  if (Why.size() != 1)
    return;
  const PhaseExcess &One = *Why.front();
  std::tie(Late.Phase, Late.File, Late.Line) = One.Key;
  Late.Explained = std::min(1.0, std::max(One.DeviceNs, One.HostNs) / LateNs);
  Row.CulpritPhase = Late.Phase;
  Row.CulpritFile = Late.File;
  Row.CulpritLine = Late.Line;
  Row.CulpritPart = Late.Explained;
}
