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
static void findSteps(const Run &P, LoopNodes &Out) {
  Out.IsStep.assign(P.Nodes.size(), false);
  Out.IsLeftOut.assign(P.Nodes.size(), false);
  auto PlaceOf = [&](uint32_t I) {
    const Node &Loop = P.Nodes[Out.Of[I]];
    return std::pair(sourcePlace(P, Loop.Site), Loop.Kind);
  };
  std::set<std::pair<SourcePlace, loopscope_kind>> HasOthers;
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    Out.IsStep[I] = N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None &&
                    Out.Of[N.Parent] == N.Parent;
    if (Out.IsStep[I] && !N.Warmup && !N.Excluded && N.Spans.count() != 0)
      HasOthers.insert(PlaceOf(I));
  }
  for (uint32_t I = 0; I < P.Nodes.size(); ++I)
    Out.IsLeftOut[I] =
        Out.IsStep[I] &&
        (P.Nodes[I].Excluded ||
         (P.Nodes[I].Warmup && HasOthers.count(PlaceOf(I)) != 0));
}

LoopNodes loopscope::findLoops(const Run &P) {
  LoopNodes Out;
  Out.Of.assign(P.Nodes.size(), None);
  Out.IsNested.assign(P.Nodes.size(), false);
  Out.NestedNs.assign(P.Nodes.size(), 0);
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (N.Parent == None)
      continue;
    uint32_t Around = Out.Of[N.Parent];
    Out.Of[I] = Around;
    Out.IsNested[I] = Out.IsNested[N.Parent];
    if (!isLoop(N.Kind) || (Around != None && P.Nodes[Around].Kind == N.Kind))
      continue;
    Out.Of[I] = I;
    Out.IsNested[I] = Around != None;
    for (uint32_t Above = N.Parent;
         Above != None && Out.Of[Above] != None && Out.Of[Above] == Around;
         Above = P.Nodes[Above].Parent)
      Out.NestedNs[Above] = saturatingAdd(Out.NestedNs[Above], N.InclusiveNs);
  }
  findSteps(P, Out);
  return Out;
}

SourcePlace loopscope::sourcePlace(const Run &P, uint32_t Site) {
  return Site == None ? SourcePlace()
                      : SourcePlace(P.Sites[Site].File, P.Sites[Site].Line);
}

int64_t loopscope::includedNs(const Run &P, uint32_t Node) {
  const struct Node &N = P.Nodes[Node];
  if (N.Parent == None)
    return N.InclusiveNs;
  const struct Node &Step =
      N.Kind == LOOPSCOPE_KIND_STEP ? N : P.Nodes[N.Parent];
  bool Excludes =
      Step.Kind == LOOPSCOPE_KIND_STEP &&
      std::any_of(Step.Children.begin(), Step.Children.end(),
                  [&](uint32_t I) { return P.Nodes[I].ExcludedNs > 0; });
  return Excludes ? N.countedNs() : N.InclusiveNs;
}

int64_t loopscope::lastDrawNs(const Run &P, uint32_t Node) {
  const struct Node &N = P.Nodes[Node];
  if (N.Kind != LOOPSCOPE_KIND_DRAW || N.Parent == None)
    return 0;
  // An open step's draw may be in no finished span yet.
  const struct Node &Step = P.Nodes[N.Parent];
  if (Step.Kind != LOOPSCOPE_KIND_STEP || Step.Open)
    return 0;
  return std::clamp<int64_t>(N.InclusiveNs - N.FinishedNs, 0,
                             std::max<int64_t>(N.SelfNs, 0));
}
