// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unites the trees of all runs below their steps.

#include "Analysis/Compare/PathChanges.h"

#include "Analysis/Account/NestedLoops.h"
#include "Run/Model/Stages.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
// What is known of a path on both sides, for a test of its own.
struct PathSides {
  DiffSide Before, After;
};

class Uniting {
public:
  explicit Uniting(const std::vector<StageChange> &Stages) : Stages(Stages) {
    Paths.emplace_back();
    Sides.emplace_back();
  }

  void addSide(const SideUnits &Side, double TimeChange::*Ns,
               double TimeChange::*Spans, DiffSide PathSides::*Sums) {
    auto Units = static_cast<double>(Side.count());
    for (const RunUnits &Of : Side.Runs) {
      const Run &R = *Of.Of;
      std::vector<uint32_t> PathOf = pathsOf(Of);
      std::map<uint32_t, Moments> InRun;
      for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
        if (PathOf[I] == None || PathOf[I] == 0)
          continue;
        const Node &N = R.Nodes[I];
        PathChange &To = Paths[PathOf[I]];
        int64_t Time = Side.AreSteps ? N.FinishedNs : N.InclusiveNs;
        To.*Ns += static_cast<double>(Time) / Units;
        To.*Spans += static_cast<double>(N.Spans.count()) / Units;
        if (!To.Row)
          InRun[PathOf[I]].merge(N.Spans);
      }
      for (const auto &[Path, Its] : InRun)
        addRun(Its, 0, Side.Runs.size(), Sides[Path].*Sums);
    }
  }

  std::vector<PathChange> finish(const ComparedSteps &Of,
                                 const DiffMethod &How) {
    PathChange &Step = Paths.front();
    Step.BeforeNs = Of.Before.meanNs();
    Step.AfterNs = Of.After.meanNs();
    Step.Kind = Of.Before.AreSteps ? LOOPSCOPE_KIND_STEP : LOOPSCOPE_KIND_ROOT;
    Step.Name = Of.Before.AreSteps ? kindWord(LOOPSCOPE_KIND_STEP) : "run";
    judge(How, Of.hasManySteps());
    return sorted();
  }

private:
  // The path of each node of a run's steps; None for all others.
  std::vector<uint32_t> pathsOf(const RunUnits &Of) {
    const Run &R = *Of.Of;
    LoopNodes Loops = findLoops(R);
    std::vector<const ActionChange *> Rows = rowsByNode(R, Stages);
    std::vector<uint32_t> Result(R.Nodes.size(), None);
    for (uint32_t Root : Of.Roots)
      Result[Root] = 0;
    for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
      const Node &N = R.Nodes[I];
      // Loops inside a step are no part of it.
      if (N.Parent == None || Result[I] != None || Result[N.Parent] == None ||
          Loops.Of[I] != Loops.Of[N.Parent])
        continue;
      auto [At, IsNew] = Index.try_emplace(
          {Result[N.Parent], N.Kind, treeName(R, N)}, Paths.size());
      if (IsNew) {
        PathChange &New = Paths.emplace_back();
        Sides.emplace_back();
        New.Name = treeName(R, N);
        New.Kind = N.Kind;
        New.Parent = Result[N.Parent];
        New.Row = Rows[I];
      }
      Result[I] = At->second;
    }
    return Result;
  }

  void judge(const DiffMethod &How, bool ManySteps) {
    auto IsSmall = [&](const PathChange &Of) {
      if (Of.Row)
        return Of.Row->IsSmall;
      const PathChange &Step = Paths.front();
      return Of.BeforeNs < How.LeastShare * Step.BeforeNs &&
             Of.AfterNs < How.LeastShare * Step.AfterNs;
    };
    std::vector<MeanTest *> Judged;
    for (size_t I = 1; I < Paths.size(); ++I) {
      PathChange &Of = Paths[I];
      if (Of.Row)
        continue;
      Of.Own = testMeans(Sides[I].Before, Sides[I].After, How.By);
      if (Of.Own && !IsSmall(Of))
        Judged.push_back(&*Of.Own);
    }
    correctTogether(Judged);
    for (size_t I = 1; I < Paths.size(); ++I)
      Paths[I].judge(Paths[I].test(), IsSmall(Paths[I]), ManySteps);
  }

  // Depth first, without recursion: a hostile tree may be deep.
  std::vector<PathChange> sorted() {
    std::vector<std::vector<uint32_t>> Children(Paths.size());
    for (uint32_t I = 1; I < Paths.size(); ++I)
      Children[Paths[I].Parent].push_back(I);
    auto Longest = [&](uint32_t I) {
      return std::max(Paths[I].BeforeNs, Paths[I].AfterNs);
    };
    std::vector<PathChange> Result;
    std::vector<std::pair<uint32_t, uint32_t>> Open = {{0, None}};
    while (!Open.empty()) {
      auto [At, Parent] = Open.back();
      Open.pop_back();
      auto Index = static_cast<uint32_t>(Result.size());
      Result.push_back(Paths[At]);
      Result.back().Parent = Parent;
      std::ranges::stable_sort(Children[At], std::ranges::less(), Longest);
      for (uint32_t Child : Children[At])
        Open.emplace_back(Child, Index);
    }
    std::vector<double> Below(Result.size());
    for (size_t I = Result.size(); I-- > 0;) {
      PathChange &Each = Result[I];
      Each.LargerNs = std::max({Each.BeforeNs, Each.AfterNs, Below[I]});
      if (Each.Parent != None)
        Below[Each.Parent] += Each.LargerNs;
    }
    return Result;
  }

  const std::vector<StageChange> &Stages;
  std::vector<PathChange> Paths;
  std::vector<PathSides> Sides; // by path
  std::map<std::tuple<uint32_t, loopscope_kind, std::string>, uint32_t> Index;
};
} // namespace

std::vector<PathChange>
loopscope::pathChanges(const ComparedSteps &Of,
                       const std::vector<StageChange> &Stages,
                       const DiffMethod &How) {
  Uniting All(Stages);
  All.addSide(Of.Before, &TimeChange::BeforeNs, &TimeChange::BeforeSpans,
              &PathSides::Before);
  All.addSide(Of.After, &TimeChange::AfterNs, &TimeChange::AfterSpans,
              &PathSides::After);
  return All.finish(Of, How);
}

size_t loopscope::keepLongestPaths(std::vector<PathChange> &Paths,
                                   size_t Most) {
  if (Paths.size() <= Most)
    return 0;
  auto Longest = [](const PathChange &Of) {
    return std::max(Of.BeforeNs, Of.AfterNs);
  };
  std::vector<double> Times;
  for (const PathChange &Each : Paths)
    Times.push_back(Longest(Each));
  auto Cut = Times.begin() + static_cast<ptrdiff_t>(Most);
  std::ranges::nth_element(Times, Cut, std::ranges::greater());
  // A path is left out with all below it, which are no longer than it is.
  std::vector<uint32_t> NewIndex(Paths.size(), None);
  std::vector<PathChange> Kept;
  for (size_t I = 0; I < Paths.size(); ++I) {
    uint32_t Above = Paths[I].Parent;
    if (I != 0 && (NewIndex[Above] == None || Longest(Paths[I]) <= *Cut))
      continue;
    NewIndex[I] = static_cast<uint32_t>(Kept.size());
    Kept.push_back(std::move(Paths[I]));
    if (I != 0)
      Kept.back().Parent = NewIndex[Above];
  }
  size_t Left = Paths.size() - Kept.size();
  Paths = std::move(Kept);
  return Left;
}
