// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over a live run's steps, and their differences.

#include "Analysis/LiveProgress.h"

#include "Support/Numbers.h"

using namespace loopscope;

namespace {
// Readings that the pace and the step times are of.
constexpr size_t KeptReadings = 40;

void addStep(Progress &To, const Run &P, const Node &Step) {
  To.Steps += Step.Spans.count();
  To.Samples += Step.Samples;
  To.StepNs = saturatingAdd(To.StepNs, Step.FinishedNs);
  To.Cpu.add(Step.Cpu);
  for (uint32_t Child : Step.Children)
    if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
      To.DrawNs = saturatingAdd(To.DrawNs, P.Nodes[Child].FinishedNs);
}
} // namespace

Progress loopscope::progressOf(const Run &P) {
  Progress Train, Valid;
  Train.WallNs = Valid.WallNs = P.WallNs;
  for (const Node &N : P.Nodes) {
    if (N.Kind != LOOPSCOPE_KIND_STEP || N.Parent == None)
      continue;
    bool IsValid = P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_VALID;
    addStep(IsValid ? Valid : Train, P, N);
  }
  return Train.Steps != 0 ? Train : Valid;
}

void ProgressHistory::add(const Progress &Now) {
  Before = Last;
  Last = Now;
  if (Kept.empty()) {
    Kept.push_back(Now);
    return;
  }
  uint64_t Steps = Now.Steps - Kept.back().Steps;
  // Of a run whose loops change, sums may begin anew.
  if (Now.Steps < Kept.back().Steps || Now.StepNs < Kept.back().StepNs) {
    Kept = {Now};
    Times.clear();
  } else if (Steps != 0) {
    Times.push_back(static_cast<double>(Now.StepNs - Kept.back().StepNs) /
                    static_cast<double>(Steps));
    Kept.push_back(Now);
  }
  if (Kept.size() > KeptReadings + 1) {
    Kept.pop_front();
    Times.erase(Times.begin());
  }
}

std::optional<double> ProgressHistory::leftNs(uint64_t Steps) const {
  if (Last.Steps >= Steps)
    return 0;
  if (Kept.size() < 2)
    return std::nullopt;
  const Progress &First = Kept.front();
  const Progress &Latest = Kept.back();
  double PerStep = static_cast<double>(Latest.WallNs - First.WallNs) /
                   static_cast<double>(Latest.Steps - First.Steps);
  return PerStep * static_cast<double>(Steps - Last.Steps);
}
