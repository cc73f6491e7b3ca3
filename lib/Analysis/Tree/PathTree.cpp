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
void addTo(Path &To, const Node &N, int64_t UselessNs,
           const AmountSums &Amounts) {
  To.UselessNs = saturatingAdd(To.UselessNs, UselessNs);
  To.Calls += N.Spans.count();
  To.Amounts.add(Amounts);
  To.Cpu.add(N.Cpu);
  To.CountedNs = saturatingAdd(To.CountedNs, N.countedNs());
  To.InclusiveNs = saturatingAdd(To.InclusiveNs, N.InclusiveNs);
  To.SelfNs = saturatingAdd(To.SelfNs, N.SelfNs);
  To.HookNs = saturatingAdd(To.HookNs, N.HookNs);
  To.ExcludedNs = saturatingAdd(To.ExcludedNs, N.ExcludedNs);
  To.Spans.merge(N.Spans);
  To.Open |= N.Open;
  To.EndedEarly += N.EndedEarly;
}
} // namespace

std::string loopscope::nameAmong(const Run &R, const PathTree &Tree,
                                 const Path &Of, const Path &Parent) {
  bool HasTwin = std::any_of(
      Parent.Children.begin(), Parent.Children.end(), [&](uint32_t Other) {
        return &Tree[Other] != &Of && Tree[Other].Name == Of.Name;
      });
  std::string Place = HasTwin ? siteText(R, Of.Site) : "";
  return Place.empty() ? Of.Name : fmt::format("{} ({})", Of.Name, Place);
}

std::string loopscope::spanName(const Run &R, const TimelineSpan &Span) {
  std::string Name = treeName(R, R.Nodes[Span.Node]);
  return Span.Step < 0 ? Name : fmt::format("{} {}", Name, Span.Step);
}

namespace {
class Merging {
public:
  Merging(const Run &R, const GpuByNode *Gpu)
      : R(R), Gpu(Gpu), Useless(uselessTimes(R)), Amounts(amountsByNode(R)) {
    Result[0].Depth = -1;
    Result[0].Name = kindWord(LOOPSCOPE_KIND_ROOT);
  }

  /// The path of node N's site below PARENT, with KEY.
  uint32_t child(uint32_t Parent, const Node &N, uint32_t Key) {
    auto [Found, IsNew] =
        PathOf.try_emplace({Parent, N.Site, N.Kind, Key}, Result.size());
    if (!IsNew)
      return Found->second;
    Path Next;
    Next.Name = Key == None ? treeName(R, N) : keyedName(R, N);
    Next.Kind = N.Kind;
    Next.Site = N.Site;
    Next.Key = Key;
    Next.Depth = Result[Parent].Depth + 1;
    Result.push_back(std::move(Next));
    Result[Parent].Children.push_back(Found->second);
    return Found->second;
  }

  void add(uint32_t To, uint32_t Index) {
    addTo(Result[To], R.Nodes[Index], Useless[Index], Amounts[Index]);
    if (Gpu)
      Result[To].Gpu.add(Gpu->inclusive(Index));
  }

  /// The same for a family, whose own time its keys have.
  void addToFamily(uint32_t To, uint32_t Index) {
    int64_t SelfNs = Result[To].SelfNs, HookNs = Result[To].HookNs;
    add(To, Index);
    Result[To].SelfNs = SelfNs;
    Result[To].HookNs = HookNs;
  }

  PathTree finish() {
    for (Path &Each : Result)
      std::stable_sort(Each.Children.begin(), Each.Children.end(),
                       [&](uint32_t A, uint32_t B) {
                         return comesBefore(Result[A], Result[B]);
                       });
    return std::move(Result);
  }

private:
  bool comesBefore(const Path &A, const Path &B) const {
    if (A.Key != None && B.Key != None)
      return isBefore(R.Keys[A.Key], R.Keys[B.Key]);
    return A.InclusiveNs > B.InclusiveNs;
  }

  const Run &R;
  const GpuByNode *Gpu;
  std::vector<int64_t> Useless;
  std::vector<AmountSums> Amounts;
  PathTree Result{1};
  std::map<std::tuple<uint32_t, uint32_t, loopscope_kind, uint32_t>, uint32_t>
      PathOf;
};
} // namespace

PathTree loopscope::mergeTrees(const Run &R,
                               const std::vector<uint32_t> &Threads,
                               const GpuByNode *Gpu,
                               std::vector<uint32_t> *Paths, Keys Of) {
  Merging Into(R, Gpu);
  std::vector<uint32_t> PathOfNode(R.Nodes.size(), None);
  std::vector<bool> Wanted(R.Threads.size(), false);
  for (uint32_t T : Threads)
    Wanted[T] = true;
  // Parents come before children, so a parent's path is known.
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (!Wanted[N.Thread])
      continue;
    uint32_t Is = 0;
    if (N.Parent != None)
      Is = Into.child(PathOfNode[N.Parent], N, None);
    if (Of == Keys::Apart && N.Key != None) {
      Into.addToFamily(Is, I);
      Is = Into.child(Is, N, N.Key);
    }
    PathOfNode[I] = Is;
    Into.add(Is, I);
  }
  if (Paths)
    *Paths = std::move(PathOfNode);
  return Into.finish();
}
