// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of steps, and what made the slow ones slow.

#include "Analysis/Steps/StepBars.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Tree/PathTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using namespace loopscope;

namespace {
using Track = std::vector<TimelineSpan>;

// The track with the most steps: the training thread's.
const Track *stepTrack(const Run &R) {
  const Track *Best = nullptr;
  ptrdiff_t Most = 0;
  for (const Track &Each : R.Timeline) {
    ptrdiff_t Steps =
        std::count_if(Each.begin(), Each.end(), [](const TimelineSpan &S) {
          return S.Step >= 0 && !S.Open;
        });
    if (Steps > Most) {
      Most = Steps;
      Best = &Each;
    }
  }
  return Best;
}

// The finished steps of TRACK, by start. If there are training steps, only
// these: an average that mixed in other loops would say nothing.
std::vector<const TimelineSpan *> finishedSteps(const Run &R,
                                                const Track &Spans) {
  std::vector<const TimelineSpan *> Steps;
  for (size_t I : stepsOf(R, Spans))
    if (!Spans[I].Open)
      Steps.push_back(&Spans[I]);
  auto Trains = [&](const TimelineSpan *S) {
    return isTrainingStep(R, R.Nodes[S->Node]);
  };
  if (std::any_of(Steps.begin(), Steps.end(), Trains))
    std::erase_if(Steps, [&](const auto *S) { return !Trains(S); });
  return Steps;
}

// How many finished steps the tree of STEP's thread has, of STEP's kind.
uint64_t countSteps(const Run &R, const Node &Step) {
  uint64_t Count = 0;
  for (const Node &Each : R.Nodes)
    if (Each.Kind == LOOPSCOPE_KIND_STEP && Each.Thread == Step.Thread &&
        isTrainingStep(R, Each) == isTrainingStep(R, Step))
      Count += Each.Spans.count();
  return Count;
}

// Computes means, and what makes the slowest steps slow.
void finish(StepBars &To) {
  size_t Count = To.Steps.size();
  To.Recorded = std::max<uint64_t>(To.Recorded, Count);
  if (Count == 0)
    return;
  auto Mean = [&](const std::vector<int64_t> &Ns) {
    return std::accumulate(Ns.begin(), Ns.end(), 0.0) /
           static_cast<double>(Count);
  };
  for (StepBarPart &Each : To.Parts)
    Each.MeanNs = Mean(Each.Ns);
  for (const StepBar &Each : To.Steps)
    To.MeanNs += static_cast<double>(Each.ns()) / static_cast<double>(Count);
  std::vector<size_t> Order(Count);
  std::iota(Order.begin(), Order.end(), size_t{0});
  size_t Shown = std::min(SlowestSteps, Count);
  std::partial_sort(Order.begin(),
                    Order.begin() + static_cast<ptrdiff_t>(Shown), Order.end(),
                    [&](size_t A, size_t B) {
                      return std::pair(-To.Steps[A].ns(), A) <
                             std::pair(-To.Steps[B].ns(), B);
                    });
  for (size_t I = 0; I < Shown && Count > 1; ++I) {
    SlowStep Next;
    Next.Step = Order[I];
    double Most = -1;
    for (size_t Part = 0; Part < To.Parts.size(); ++Part) {
      const StepBarPart &Each = To.Parts[Part];
      double Above = static_cast<double>(Each.Ns[Next.Step]) - Each.MeanNs;
      if (Above > Most) {
        Most = Above;
        Next.Part = Part;
        Next.AboveNs = static_cast<int64_t>(Above);
      }
    }
    To.Slowest.push_back(Next);
  }
}
} // namespace

StepBars loopscope::stepBars(const Run &R,
                             const std::vector<uint32_t> &PathOf) {
  StepBars Result;
  const Track *Spans = stepTrack(R);
  if (Spans == nullptr)
    return Result;
  std::vector<const TimelineSpan *> Steps = finishedSteps(R, *Spans);
  if (Steps.empty())
    return Result;
  Result.Path = PathOf[Steps.front()->Node];
  Result.Recorded = countSteps(R, R.Nodes[Steps.front()->Node]);
  LoopNodes Loops = findLoops(R);
  std::vector<int64_t> Rest;
  for (const TimelineSpan *Each : Steps) {
    Result.Steps.push_back(
        {fmt::format("{}", Each->Step), Each->StartNs, Each->EndNs, 0});
    Rest.push_back(Each->EndNs - Each->StartNs);
  }
  std::map<uint32_t, std::vector<int64_t>> ByPath;
  std::map<uint32_t, std::string> Names;
  // The last part so far, which may contain a cut.
  std::vector<int64_t> *LastPart = nullptr;
  int64_t LastPartEnd = INT64_MIN;
  for (const TimelineSpan &S : *Spans) {
    const Node &N = R.Nodes[S.Node];
    if (!N.IsCut && !isStepPart(R, N))
      continue;
    auto After = std::upper_bound(
        Steps.begin(), Steps.end(), S.StartNs,
        [](int64_t Start, const auto *Step) { return Start < Step->StartNs; });
    if (After == Steps.begin() || S.EndNs > (*(After - 1))->EndNs)
      continue;
    auto I = static_cast<size_t>(After - 1 - Steps.begin());
    // What a loop inside a step consists of is no part of the step.
    uint32_t Loop = Loops.Of[Loops.Of[S.Node] == S.Node ? N.Parent : S.Node];
    if (!N.IsCut && Loop != Loops.Of[Steps[I]->Node])
      continue;
    int64_t Ns = S.EndNs - S.StartNs;
    if (N.IsCut) {
      int64_t &Around =
          (LastPart && S.EndNs <= LastPartEnd ? *LastPart : Rest)[I];
      Around = std::max<int64_t>(Around - Ns, 0);
      Result.Steps[I].CutNs += Ns;
      continue;
    }
    std::vector<int64_t> &Part = ByPath[PathOf[S.Node]];
    Part.resize(Steps.size());
    Part[I] += Ns;
    Rest[I] = std::max<int64_t>(Rest[I] - Ns, 0);
    Names.try_emplace(PathOf[S.Node], treeName(R, N));
    LastPart = &Part;
    LastPartEnd = S.EndNs;
  }
  for (auto &[Path, Ns] : ByPath)
    Result.Parts.push_back({Names[Path], Path, std::move(Ns)});
  std::stable_sort(Result.Parts.begin(), Result.Parts.end(),
                   [](const StepBarPart &A, const StepBarPart &B) {
                     return A.Name < B.Name;
                   });
  Result.Parts.push_back({"(rest)", None, std::move(Rest)});
  finish(Result);
  return Result;
}

StepBars loopscope::stepBars(const StepAnalysis &Of) {
  StepBars Result;
  for (const TraceStep &Each : Of.Steps)
    Result.Steps.push_back(
        {Each.Name, Each.Time.Start, Each.Time.End, Each.CutNs});
  for (size_t R = 0; R < RoleCount; ++R) {
    if (!Of.hasSeen(R))
      continue;
    StepBarPart Part;
    Part.Name = roleName(static_cast<TimeRole>(R));
    for (const TraceStep &Each : Of.Steps)
      Part.Ns.push_back(Each.Roles[R]);
    Result.Parts.push_back(std::move(Part));
  }
  finish(Result);
  return Result;
}
