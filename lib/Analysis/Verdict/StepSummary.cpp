// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over steps, and the parts of one.

#include "Analysis/Verdict/StepSummary.h"

#include "Analysis/Steps/StepTimeline.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
bool isStepOf(const PathTree &Tree, const Path &Loop, uint32_t At) {
  return Tree[At].Kind == LOOPSCOPE_KIND_STEP &&
         Loop.Kind == LOOPSCOPE_KIND_TRAIN;
}

// The steps to split: training steps first, then the longest.
uint32_t longestStep(const PathTree &Tree) {
  uint32_t Best = None;
  bool BestTrains = false;
  for (const Path &Loop : Tree)
    for (uint32_t At : Loop.Children) {
      if (Tree[At].Kind != LOOPSCOPE_KIND_STEP)
        continue;
      bool Trains = isStepOf(Tree, Loop, At);
      if (Best == None || (Trains && !BestTrains) ||
          (Trains == BestTrains &&
           Tree[At].InclusiveNs > Tree[Best].InclusiveNs)) {
        Best = At;
        BestTrains = Trains;
      }
    }
  return Best;
}

// Without steps: the outermost path that does more than wrap another one.
uint32_t firstFork(const PathTree &Tree) {
  uint32_t At = 0;
  while (Tree[At].Children.size() == 1)
    At = Tree[At].Children.front();
  return Tree[At].Children.empty() ? 0 : At;
}
} // namespace

double LoopSummary::samplesPerSecond() const {
  return Ns > 0 ? static_cast<double>(Samples) / toSeconds(Ns) : 0;
}

std::vector<LoopSummary> loopscope::summarizeLoops(const Run &P) {
  LoopSummary Both[2];
  Both[1].IsTraining = false;
  bool HasOthers[2] = {false, false};
  for (const Node &N : P.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP && !N.Warmup && N.Spans.count() != 0)
      HasOthers[isTrainingStep(P, N) ? 0 : 1] = true;
  for (const Node &N : P.Nodes) {
    if (N.Kind != LOOPSCOPE_KIND_STEP)
      continue;
    size_t Which = isTrainingStep(P, N) ? 0 : 1;
    LoopSummary &To = Both[Which];
    if (N.Warmup && HasOthers[Which]) {
      To.WarmupSteps += N.Spans.count();
      continue;
    }
    To.Steps += N.Spans.count();
    To.Samples += N.Samples;
    To.Ns = saturatingAdd(To.Ns, N.FinishedNs);
    To.Spans.merge(N.Spans);
    To.Cpu.add(N.Cpu);
  }
  std::vector<LoopSummary> Result;
  for (LoopSummary &Each : Both)
    if (Each.Steps != 0)
      Result.push_back(std::move(Each));
  return Result;
}

StepSplit loopscope::splitSteps(const PathTree &Tree) {
  StepSplit Result;
  if (Tree.empty() || Tree[0].Children.empty())
    return Result;
  Result.Path = longestStep(Tree);
  Result.IsStep = Result.Path != None;
  if (!Result.IsStep)
    Result.Path = firstFork(Tree);
  Result.Ns = Tree[Result.Path].InclusiveNs;
  int64_t Rest = Result.Ns;
  auto Add = [&](uint32_t At) {
    Result.Parts.push_back({At, Tree[At].Name, Tree[At].InclusiveNs});
    Rest -= Tree[At].InclusiveNs;
  };
  for (uint32_t Child : Tree[Result.Path].Children) {
    const Path &Part = Tree[Child];
    if (Part.Kind != LOOPSCOPE_KIND_BATCH || Part.Children.empty()) {
      Add(Child);
      continue;
    }
    for (uint32_t Inner : Part.Children)
      Add(Inner);
  }
  std::stable_sort(
      Result.Parts.begin(), Result.Parts.end(),
      [](const StepPart &A, const StepPart &B) { return A.Ns > B.Ns; });
  if (Rest > 0)
    Result.Parts.push_back({None, "(rest)", Rest});
  return Result;
}

uint32_t loopscope::pathOfPlace(const Run &P, const PathTree &Tree,
                                const PhasePlace &Of) {
  std::vector<bool> Trains(Tree.size(), false);
  for (const Path &Each : Tree)
    for (uint32_t Child : Each.Children)
      Trains[Child] = Trains[static_cast<size_t>(&Each - Tree.data())] ||
                      Each.Kind == LOOPSCOPE_KIND_TRAIN;
  uint32_t Best = None;
  for (uint32_t I = 1; I < Tree.size(); ++I) {
    const Path &Each = Tree[I];
    if (Each.Name != Of.Name)
      continue;
    const Site *Where = Each.Site == None ? nullptr : &P.Sites[Each.Site];
    if (!Of.File.empty() &&
        (!Where || Where->Line != Of.Line ||
         Where->File.substr(Where->File.rfind('/') + 1) != Of.File))
      continue;
    if (Best == None ||
        std::pair(bool{Trains[I]}, Each.InclusiveNs) >
            std::pair(bool{Trains[Best]}, Tree[Best].InclusiveNs))
      Best = I;
  }
  return Best;
}
