// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a step.

#include "Analysis/Verdict/StepSummary.h"

#include "Run/Model/KnownNames.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Paths.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
// Without steps: the outermost path that does more than wrap another one.
uint32_t firstFork(const PathTree &Tree) {
  uint32_t At = 0;
  while (Tree[At].Children.size() == 1)
    At = Tree[At].Children.front();
  return Tree[At].Children.empty() ? 0 : At;
}
} // namespace

StepSplit loopscope::splitSteps(const Account &Of, const PathTree &Tree,
                                const std::vector<uint32_t> &PathOf) {
  StepSplit Result;
  if (Tree.empty() || Tree[0].Children.empty())
    return Result;
  int64_t Rest = 0;
  auto Add = [&](uint32_t At, const std::string &Name, int64_t Ns) {
    Result.Ns = saturatingAdd(Result.Ns, Ns);
    if (At == None)
      Rest = saturatingAdd(Rest, Ns);
    else
      Result.Parts.push_back({At, Name, Ns});
  };
  if (!Of.Loops.empty() && !Of.Loops.front().StepNodes.empty()) {
    const LoopAccount &Loop = Of.Loops.front();
    Result.IsStep = true;
    Result.Path = PathOf[Loop.StepNodes.front()];
    for (const AccountPart &Each : Loop.Parts)
      if (Each.Use != AccountUse::Warmup && Each.Use != AccountUse::Excluded &&
          Each.Use != AccountUse::Between)
        Add(Each.Use == AccountUse::Draw || Each.Use == AccountUse::Phase
                ? PathOf[Each.Nodes.front()]
                : None,
            Each.Name, Each.Ns);
  } else {
    Result.Path = firstFork(Tree);
    for (uint32_t Child : Tree[Result.Path].Children)
      Add(Child, Tree[Child].Name, Tree[Child].InclusiveNs);
    if (int64_t Ns = Tree[Result.Path].InclusiveNs - Result.Ns; Ns > 0)
      Add(None, "", Ns);
  }
  sortLargestFirst(Result.Parts, &StepPart::Ns);
  if (Rest > 0)
    Result.Parts.push_back({None, "(rest)", Rest});
  return Result;
}

uint32_t loopscope::pathOfPlace(const Run &R, const PathTree &Tree,
                                const PhasePlace &Of) {
  std::vector<bool> Trains(Tree.size(), false);
  for (const Path &Each : Tree)
    for (uint32_t Child : Each.Children)
      Trains[Child] = Trains[static_cast<size_t>(&Each - Tree.data())] ||
                      Each.Kind == LOOPSCOPE_KIND_TRAIN;
  uint32_t Best = None;
  for (uint32_t I = 1; I < Tree.size(); ++I) {
    const Path &Each = Tree[I];
    if (readableName(Each.Name) != Of.Name)
      continue;
    const Site *Where = Each.Site == None ? nullptr : &R.Sites[Each.Site];
    if (!Of.File.empty() &&
        (!Where || Where->Line != Of.Line || fileName(Where->File) != Of.File))
      continue;
    if (Best == None ||
        std::pair(bool{Trains[I]}, Each.InclusiveNs) >
            std::pair(bool{Trains[Best]}, Tree[Best].InclusiveNs))
      Best = I;
  }
  return Best;
}
