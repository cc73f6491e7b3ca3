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
                              const Run &R) {
  std::vector<double> Cost(R.Nodes.size(), 0);
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    auto Calls = static_cast<double>(N.Spans.count());
    bool InStep =
        N.Parent != None && R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP;
    if (N.Parent == None || N.IsCut || N.Kind == LOOPSCOPE_KIND_STEP ||
        (N.Kind == LOOPSCOPE_KIND_DRAW && InStep))
      continue;
    Cost[I] += Calls * R.HookInsideNs;
    uint32_t Payer = N.Parent;
    if (InStep)
      for (uint32_t Sibling : R.Nodes[N.Parent].Children)
        if (R.Nodes[Sibling].Kind == LOOPSCOPE_KIND_DRAW)
          Payer = Sibling;
    Cost[Payer] += Calls * R.HookOutsideNs;
  }
  for (const NodeSum &Each : Sums.Nodes)
    if (isCost(Each))
      Cost[Each.Node] += static_cast<double>(Ticks.toNs(Each.Sum));
  return Cost;
}

// Whether the clock made a thread shorter than its phases: by it, the thread
// ends before it starts, or spans ended before they started.
bool clockWentBack(const Run &R, const Thread &T) {
  return T.LifetimeNs == 0 ||
         R.Lost.Counters[LOOPSCOPE_COUNT_CLOCK_CLAMPED] != 0;
}

} // namespace

void addUpTimes(const NamedSums &Sums, const Clock &Ticks, Run &R) {
  std::vector<int64_t> Inside(R.Nodes.size(), 0);
  std::vector<double> Cost = hookCosts(Sums, Ticks, R);
  for (size_t I = R.Nodes.size(); I-- > 0;) {
    Node &N = R.Nodes[I];
    if (N.InclusiveNs < Inside[I]) {
      if (N.Parent == None && clockWentBack(R, R.Threads[N.Thread]))
        R.Lost.ClockWentBack = true;
      else
        R.Lost.BadRecords += R.Ended != End::Running && R.Ended != End::Reset;
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
  for (const Thread &T : R.Threads)
    if (T.IsMain && T.Root != None)
      R.WallNs = std::max(R.WallNs, R.Nodes[T.Root].InclusiveNs);
}

} // namespace loopscope
