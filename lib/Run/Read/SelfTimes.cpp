// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subtracts children and hooks from their parents.

#include "Run/Read/SelfTimes.h"

#include "Support/Numbers.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <vector>

namespace loopscope {
namespace {

// The hooks of the spans, by the node whose self time contains them, and what
// parts of the runtime report about themselves. A step's three nodes share one
// pair of hooks: that pair measures the batch, and what it misses of itself
// falls on the next draw.
std::vector<double> hookCosts(const NamedSums &Sums, const Clock &Ticks,
                              const Run &P) {
  std::vector<double> Cost(P.Nodes.size(), 0);
  for (size_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    auto Calls = static_cast<double>(N.Spans.count());
    bool InStep =
        N.Parent != None && P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP;
    if (N.Parent == None || N.IsCut || N.Kind == LOOPSCOPE_KIND_STEP ||
        (N.Kind == LOOPSCOPE_KIND_DRAW && InStep))
      continue;
    Cost[I] += Calls * P.HookInsideNs;
    uint32_t Payer = N.Parent;
    if (InStep)
      for (uint32_t Sibling : P.Nodes[N.Parent].Children)
        if (P.Nodes[Sibling].Kind == LOOPSCOPE_KIND_DRAW)
          Payer = Sibling;
    Cost[Payer] += Calls * P.HookOutsideNs;
  }
  for (const NodeSum &Each : Sums.Nodes)
    if (isCost(Each))
      Cost[Each.Node] += static_cast<double>(Ticks.toNs(Each.Sum));
  return Cost;
}

// Whether the clock made a thread shorter than its phases: by it, the thread
// ends before it starts, or spans ended before they started.
bool clockWentBack(const Run &P, const Thread &T) {
  return T.LifetimeNs == 0 ||
         P.Lost.Counters[LOOPSCOPE_COUNT_CLOCK_CLAMPED] != 0;
}

} // namespace

void addUpTimes(const NamedSums &Sums, const Clock &Ticks, Run &P) {
  std::vector<int64_t> Inside(P.Nodes.size(), 0);
  std::vector<double> Cost = hookCosts(Sums, Ticks, P);
  for (size_t I = P.Nodes.size(); I-- > 0;) {
    Node &N = P.Nodes[I];
    if (N.InclusiveNs < Inside[I]) {
      if (N.Parent == None && clockWentBack(P, P.Threads[N.Thread]))
        P.Lost.ClockWentBack = true;
      else
        P.Lost.BadRecords += P.Ended != End::Running && P.Ended != End::Reset;
      N.InclusiveNs = Inside[I];
    }
    int64_t Rest = N.InclusiveNs - Inside[I];
    N.HookNs = Cost[I] < static_cast<double>(Rest)
                   ? static_cast<int64_t>(Cost[I])
                   : Rest;
    N.ExcludedNs = std::clamp<int64_t>(N.ExcludedNs, 0, Rest - N.HookNs);
    N.SelfNs = Rest - N.HookNs - N.ExcludedNs;
    if (N.Parent != None)
      Inside[N.Parent] = saturatingAdd(Inside[N.Parent], N.InclusiveNs);
  }
  for (const Thread &T : P.Threads)
    if (T.IsMain && T.Root != None)
      P.WallNs = std::max(P.WallNs, P.Nodes[T.Root].InclusiveNs);
}

} // namespace loopscope
