// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up waiting from the leaves of the tree to its roots, and marks what is
// inside a wait from there to the leaves.

#include "Analysis/Tree/UsefulTime.h"

#include "Run/Model/KnownNames.h"

#include <algorithm>

using namespace loopscope;

bool loopscope::isWaitOrCollective(loopscope_kind Kind) {
  return Kind == LOOPSCOPE_KIND_WAIT || Kind == LOOPSCOPE_KIND_COLLECTIVE;
}

bool loopscope::isCommunication(const Run &R, const Node &Of) {
  return Of.Kind == LOOPSCOPE_KIND_COLLECTIVE ||
         (Of.Kind == LOOPSCOPE_KIND_WAIT && R.useOf(Of) != SiteUse::None &&
          !startsOrEndsMpi(R.Sites[Of.Site].Name));
}

bool loopscope::hasUsefulTime(const Run &R) {
  bool HasWaits =
      std::any_of(R.Nodes.begin(), R.Nodes.end(),
                  [](const Node &N) { return isWaitOrCollective(N.Kind); });
  return HasWaits &&
         std::none_of(R.Stream.Events.begin(), R.Stream.Events.end(),
                      [](const TraceEvent &Event) {
                        return Event.Kind == TraceKind::Runtime;
                      });
}

// By node, its time in what IS_WAIT says of a kind, with calls that wait.
template <typename Function>
static std::vector<int64_t> timesIn(const Run &R, Function IsWait) {
  std::vector<int64_t> Waiting(R.Nodes.size());
  // Parents come before children.
  for (size_t I = R.Nodes.size(); I-- > 0;) {
    const Node &N = R.Nodes[I];
    int64_t &Own = Waiting[I];
    Own = IsWait(N.Kind) ? N.InclusiveNs : saturatingAdd(Own, N.Calls.WaitNs);
    Own = std::clamp<int64_t>(Own, 0, std::max<int64_t>(N.InclusiveNs, 0));
    if (N.Parent != None)
      Waiting[N.Parent] = saturatingAdd(Waiting[N.Parent], Own);
  }
  std::vector<bool> InWait(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    InWait[I] = InWait[N.Parent] || IsWait(R.Nodes[N.Parent].Kind);
    if (InWait[I])
      Waiting[I] = N.InclusiveNs;
  }
  return Waiting;
}

std::vector<int64_t> loopscope::waitingTimes(const Run &R) {
  return timesIn(R, isWaitOrCollective);
}

std::vector<int64_t> loopscope::uselessTimes(const Run &R) {
  return timesIn(R, [](loopscope_kind Kind) {
    return isWaitOrCollective(Kind) || Kind == LOOPSCOPE_KIND_DRAW;
  });
}
