// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks from the roots to the leaves.

#include "Analysis/Account/NestedLoops.h"

#include <algorithm>
#include <set>

using namespace loopscope;

static bool isLoop(loopscope_kind Kind) {
  return Kind == LOOPSCOPE_KIND_TRAIN || Kind == LOOPSCOPE_KIND_VALID;
}

// Fills in the steps; the loops are known.
static void findSteps(const Run &R, LoopNodes &Out) {
  Out.IsStep.assign(R.Nodes.size(), false);
  Out.IsLeftOut.assign(R.Nodes.size(), false);
  auto PlaceOf = [&](uint32_t I) {
    const Node &Loop = R.Nodes[Out.Of[I]];
    return std::pair(sourcePlace(R, Loop.Site), Loop.Kind);
  };
  std::set<std::pair<SourcePlace, loopscope_kind>> HasOthers;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Out.IsStep[I] = N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None &&
                    Out.Of[N.Parent] == N.Parent;
    if (Out.IsStep[I] && !N.Warmup && !N.Excluded && N.Spans.count() != 0)
      HasOthers.insert(PlaceOf(I));
  }
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    Out.IsLeftOut[I] =
        Out.IsStep[I] &&
        (R.Nodes[I].Excluded ||
         (R.Nodes[I].Warmup && HasOthers.count(PlaceOf(I)) != 0));
}

LoopNodes loopscope::findLoops(const Run &R) {
  LoopNodes Out;
  Out.Of.assign(R.Nodes.size(), None);
  Out.IsNested.assign(R.Nodes.size(), false);
  Out.NestedNs.assign(R.Nodes.size(), 0);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    uint32_t Around = Out.Of[N.Parent];
    Out.Of[I] = Around;
    Out.IsNested[I] = Out.IsNested[N.Parent];
    if (!isLoop(N.Kind) || (Around != None && R.Nodes[Around].Kind == N.Kind))
      continue;
    Out.Of[I] = I;
    Out.IsNested[I] = Around != None;
    for (uint32_t Above = N.Parent;
         Above != None && Out.Of[Above] != None && Out.Of[Above] == Around;
         Above = R.Nodes[Above].Parent)
      Out.NestedNs[Above] = saturatingAdd(Out.NestedNs[Above], N.InclusiveNs);
  }
  findSteps(R, Out);
  return Out;
}

SourcePlace loopscope::sourcePlace(const Run &R, uint32_t Site) {
  return Site == None ? SourcePlace()
                      : SourcePlace(R.Sites[Site].File, R.Sites[Site].Line);
}

int64_t loopscope::includedNs(const Run &R, uint32_t Node) {
  const struct Node &N = R.Nodes[Node];
  if (N.Parent == None)
    return N.InclusiveNs;
  const struct Node &Step =
      N.Kind == LOOPSCOPE_KIND_STEP ? N : R.Nodes[N.Parent];
  bool Excludes =
      Step.Kind == LOOPSCOPE_KIND_STEP &&
      std::any_of(Step.Children.begin(), Step.Children.end(),
                  [&](uint32_t I) { return R.Nodes[I].ExcludedNs > 0; });
  return Excludes ? N.countedNs() : N.InclusiveNs;
}

int64_t loopscope::lastDrawNs(const Run &R, uint32_t Node) {
  const struct Node &N = R.Nodes[Node];
  if (N.Kind != LOOPSCOPE_KIND_DRAW || N.Parent == None)
    return 0;
  // An open step's draw may be in no finished span yet.
  const struct Node &Step = R.Nodes[N.Parent];
  if (Step.Kind != LOOPSCOPE_KIND_STEP || Step.Open)
    return 0;
  return std::clamp<int64_t>(N.InclusiveNs - N.FinishedNs, 0,
                             std::max<int64_t>(N.SelfNs, 0));
}
