// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over a live run's steps, and their differences.

#include "Analysis/Steps/LiveProgress.h"

#include "Analysis/Account/NestedLoops.h"
#include "Support/Numbers.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
// How many readings the pace and the step times are computed from.
constexpr size_t KeptReadings = 40;

void addStep(Progress &To, const Run &R, const Node &Step, int64_t NestedNs) {
  To.Steps += Step.Spans.count();
  To.Samples += Step.Samples;
  To.StepNs = saturatingAdd(To.StepNs,
                            std::max<int64_t>(0, Step.FinishedNs - NestedNs));
  To.Cpu.add(Step.Cpu);
  for (uint32_t Child : Step.Children)
    if (R.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
      To.DrawNs = saturatingAdd(To.DrawNs, R.Nodes[Child].FinishedNs);
}
uint64_t begunOf(const Node &N) { return N.Spans.count() + (N.Open ? 1 : 0); }

// The length of a loop that has begun BEGUN times, each time reporting the same
// number of iterations; SUM is the total. The last execution may not have
// reported yet. 0 if the numbers differ.
uint64_t saidByEach(uint64_t Sum, uint64_t Begun) {
  for (uint64_t Said : {Begun, Begun - 1})
    if (Said != 0 && Sum % Said == 0)
      return Sum / Said;
  return 0;
}

// The same for the loop LOOP of R; Steps is 0 if it isn't known.
LoopLength lengthOfLoop(const Run &R, const Node &Loop) {
  uint64_t Begun = begunOf(Loop);
  const Node *Epoch = nullptr;
  for (uint32_t I = Loop.Parent; I != None; I = R.Nodes[I].Parent) {
    const Node &N = R.Nodes[I];
    if (N.Kind == LOOPSCOPE_KIND_EPOCH && Epoch == nullptr)
      Epoch = &N;
    else if ((Epoch != nullptr || Begun > 1) && begunOf(N) > 1 &&
             N.Parent != None)
      return {};
  }
  if (Epoch == nullptr)
    return Begun == 1 ? LoopLength{Loop.Samples, true} : LoopLength();
  uint64_t Epochs = saidByEach(Epoch->Samples, begunOf(*Epoch));
  if (Begun == 0 || Begun > begunOf(*Epoch) || Epochs < begunOf(*Epoch) ||
      begunOf(*Epoch) - Begun > 1)
    return {};
  return {Loop.Samples + Loop.Samples * (Epochs - Begun) / Begun, false};
}
} // namespace

LoopLength loopscope::lengthOf(const Run &R, bool IsValid) {
  LoopLength Sum;
  uint64_t Done = 0;
  for (const Node &N : R.Nodes) {
    if (N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None &&
        (R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_VALID) == IsValid)
      Done += N.Spans.count();
    if (N.Kind != (IsValid ? LOOPSCOPE_KIND_VALID : LOOPSCOPE_KIND_TRAIN))
      continue;
    LoopLength One = lengthOfLoop(R, N);
    if (One.Steps == 0)
      return {};
    Sum.Steps += One.Steps;
    Sum.IsOneLoop |= One.IsOneLoop;
  }
  bool IsWhole =
      R.Lost.Counters[LOOPSCOPE_COUNT_STEPS_EXCLUDED] == 0 && Done <= Sum.Steps;
  return IsWhole ? Sum : LoopLength();
}

Progress loopscope::progressOf(const Run &R) {
  Progress Train, Valid;
  std::set<uint32_t> Threads[2];
  LoopNodes Loops = findLoops(R);
  Train.WallNs = Valid.WallNs = R.WallNs;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Kind != LOOPSCOPE_KIND_STEP || N.Parent == None)
      continue;
    bool IsValid = R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_VALID;
    addStep(IsValid ? Valid : Train, R, N, Loops.NestedNs[I]);
    Threads[IsValid ? 1 : 0].insert(N.Thread);
  }
  Train.Threads = Threads[0].size();
  Valid.Threads = Threads[1].size();
  Progress &Result = Train.Steps != 0 ? Train : Valid;
  Result.Length = lengthOf(R, &Result == &Valid);
  return Result;
}

void ProgressHistory::add(const Progress &Now) {
  Before = Last;
  Last = Now;
  if (Kept.empty()) {
    Kept.push_back(Now);
    return;
  }
  uint64_t Steps = Now.Steps - Kept.back().Steps;
  // If a run's loops change, its sums may start again.
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
