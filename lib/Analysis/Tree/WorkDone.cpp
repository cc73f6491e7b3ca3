// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of work over the tree, and what they are divided by.

#include "Analysis/Tree/WorkDone.h"

#include "Analysis/Tree/DevicePeaks.h"
#include "Support/Numbers.h"

#include <loopscope/profile_counters.h>
#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
WorkSums ownWork(const Node &N) {
  return {N.Work.Flops, N.FinishedNs, N.Work.Spans != 0,
          N.Work.Spans >= N.Spans.count()};
}

// What steps outside the window did isn't in any node, while their time is in
// the loop's.
bool leavesStepsOut(const Run &P, const Node &N) {
  return (N.Kind == LOOPSCOPE_KIND_TRAIN || N.Kind == LOOPSCOPE_KIND_VALID) &&
         P.Lost.Counters[LOOPSCOPE_COUNT_STEPS_EXCLUDED] != 0;
}
} // namespace

void WorkSums::add(const WorkSums &Other) {
  Flops += Other.Flops;
  Ns = saturatingAdd(Ns, Other.Ns);
  IsSaid |= Other.IsSaid;
  IsWhole &= Other.IsWhole;
}

std::vector<WorkSums> loopscope::workByNode(const Run &P) {
  std::vector<WorkSums> Result(P.Nodes.size());
  // Children come after their parents.
  for (size_t I = P.Nodes.size(); I-- != 0;) {
    const Node &N = P.Nodes[I];
    // Something below an open span may have ended.
    Result[I].Ns = N.Open ? N.InclusiveNs : N.FinishedNs;
    if (N.Work.Spans != 0)
      Result[I] = ownWork(N);
    else if (Result[I].IsSaid && leavesStepsOut(P, N))
      Result[I].IsWhole = false;
    if (N.Parent != None)
      Result[N.Parent].add(Result[I]);
  }
  // What a step reports, its batch did.
  for (size_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (N.Kind != LOOPSCOPE_KIND_BATCH || N.Parent == None ||
        P.Nodes[N.Parent].Work.Spans == 0)
      continue;
    WorkSums OfStep = Result[N.Parent];
    OfStep.Ns = Result[I].Ns;
    Result[I] = OfStep;
  }
  return Result;
}

bool loopscope::saysWork(const Run &P) {
  return std::any_of(P.Nodes.begin(), P.Nodes.end(),
                     [](const Node &N) { return N.Work.Spans != 0; });
}

WorkSums loopscope::workInStage(const Run &P,
                                const std::vector<loopscope_kind> &StageOf,
                                loopscope_kind Kind) {
  WorkSums Result;
  std::vector<bool> IsSaidFor(P.Nodes.size()); // by it or by one around it
  for (size_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    bool Around = N.Parent != None && IsSaidFor[N.Parent];
    IsSaidFor[I] = Around || N.Work.Spans != 0;
    if (StageOf[I] != Kind)
      continue;
    if (!Around && N.Work.Spans != 0)
      Result.add(ownWork(N));
    Result.IsWhole &= !leavesStepsOut(P, N);
  }
  Result.Ns = 0;
  return Result;
}

WorkPeak loopscope::workPeak(const Run &P) {
  std::set<std::string> Processes, Names;
  double Devices = 0;
  double Dense = 0;
  for (const GpuDevice &D : P.Gpu.Devices)
    if (D.BusyNs > 0) {
      Processes.insert(D.Process);
      Names.insert(D.Name);
      Dense = densePeak(D.Name);
      ++Devices;
    }
  WorkPeak Result;
  if (Devices > 0)
    Result.Devices = Devices / static_cast<double>(Processes.size());
  if (uint64_t Given = P.Given.of(LOOPSCOPE_SETTING_WORK_PEAK); Given != 0) {
    Result.FlopsPerSecond = static_cast<double>(Given);
    Result.Source = "peak=";
  } else if (Names.empty()) {
    Result.Source = "no GPU did any work";
  } else if (Names.size() > 1) {
    Result.Source = "the run used GPUs of different kinds";
  } else if (Dense == 0) {
    Result.Source = fmt::format("no peak is known for '{}'", *Names.begin());
  } else {
    Result.FlopsPerSecond = Dense;
    Result.Source = fmt::format("{}, bfloat16, dense", *Names.begin());
  }
  return Result;
}

WorkRate loopscope::rateOf(const WorkSums &Work, int64_t BusyNs,
                           const WorkPeak &Peak) {
  double Ns = std::max(static_cast<double>(Work.Ns),
                       static_cast<double>(BusyNs) / Peak.Devices);
  WorkRate Result;
  if (!Work.IsSaid || !Work.IsWhole || Ns <= 0)
    return Result;
  Result.PerSecond = Work.Flops * NsPerSecond / Ns;
  if (Peak.FlopsPerSecond > 0)
    Result.MfuPercent =
        *Result.PerSecond * 100 / (Peak.FlopsPerSecond * Peak.Devices);
  return Result;
}
