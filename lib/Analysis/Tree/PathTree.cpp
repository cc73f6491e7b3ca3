// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges trees by site and kind.

#include "Analysis/Tree/PathTree.h"

#include "Analysis/Tree/UsefulTime.h"
#include "Run/Model/Stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
void addTo(Path &To, const Node &N, int64_t UselessNs, const WorkSums &Work) {
  To.UselessNs = saturatingAdd(To.UselessNs, UselessNs);
  To.Calls += N.Spans.count();
  To.Work.add(Work);
  To.Cpu.add(N.Cpu);
  To.CountedNs =
      saturatingAdd(To.CountedNs, N.Open ? N.InclusiveNs : N.FinishedNs);
  To.InclusiveNs = saturatingAdd(To.InclusiveNs, N.InclusiveNs);
  To.SelfNs = saturatingAdd(To.SelfNs, N.SelfNs);
  To.HookNs = saturatingAdd(To.HookNs, N.HookNs);
  To.Spans.merge(N.Spans);
  To.Open |= N.Open;
  To.EndedEarly += N.EndedEarly;
}
} // namespace

std::string loopscope::nameAmong(const Run &P, const PathTree &Tree,
                                 const Path &Of, const Path &Parent) {
  bool HasTwin = std::any_of(
      Parent.Children.begin(), Parent.Children.end(), [&](uint32_t Other) {
        return &Tree[Other] != &Of && Tree[Other].Name == Of.Name;
      });
  std::string Place = HasTwin ? siteText(P, Of.Site) : "";
  return Place.empty() ? Of.Name : fmt::format("{} ({})", Of.Name, Place);
}

std::string loopscope::spanName(const Run &P, const TimelineSpan &Span) {
  std::string Name = treeName(P, P.Nodes[Span.Node]);
  return Span.Step < 0 ? Name : fmt::format("{} {}", Name, Span.Step);
}

PathTree loopscope::mergeTrees(const Run &P,
                               const std::vector<uint32_t> &Threads,
                               const GpuByNode *Gpu,
                               std::vector<uint32_t> *Paths) {
  PathTree Result(1);
  Result[0].Depth = -1;
  Result[0].Name = kindWord(LOOPSCOPE_KIND_ROOT);
  std::map<std::tuple<uint32_t, uint32_t, loopscope_kind>, uint32_t> PathOf;
  std::vector<uint32_t> PathOfNode(P.Nodes.size(), None);
  std::vector<int64_t> Useless = uselessTimes(P);
  std::vector<WorkSums> Work = workByNode(P);
  std::vector<bool> Wanted(P.Threads.size(), false);
  for (uint32_t T : Threads)
    Wanted[T] = true;
  // Parents come before children, so a parent's path is known.
  for (size_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (!Wanted[N.Thread])
      continue;
    if (N.Parent == None) {
      PathOfNode[I] = 0;
      addTo(Result[0], N, Useless[I], Work[I]);
      if (Gpu)
        Result[0].Gpu.add(Gpu->inclusive(static_cast<uint32_t>(I)));
      continue;
    }
    uint32_t Parent = PathOfNode[N.Parent];
    auto [Found, IsNew] =
        PathOf.try_emplace({Parent, N.Site, N.Kind}, Result.size());
    if (IsNew) {
      Path Next;
      Next.Name = treeName(P, N);
      Next.Kind = N.Kind;
      Next.Site = N.Site;
      Next.Depth = Result[Parent].Depth + 1;
      Result.push_back(std::move(Next));
      Result[Parent].Children.push_back(Found->second);
    }
    PathOfNode[I] = Found->second;
    addTo(Result[Found->second], N, Useless[I], Work[I]);
    if (Gpu)
      Result[Found->second].Gpu.add(Gpu->inclusive(static_cast<uint32_t>(I)));
  }
  for (Path &Each : Result)
    std::stable_sort(Each.Children.begin(), Each.Children.end(),
                     [&](uint32_t A, uint32_t B) {
                       return Result[A].InclusiveNs > Result[B].InclusiveNs;
                     });
  if (Paths)
    *Paths = std::move(PathOfNode);
  return Result;
}
