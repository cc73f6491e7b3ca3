// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which phases pay for the GPU work of others.

#include "Analysis/Device/GpuRows.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PathTree.h"
#include "Analysis/Verdict/Verdict.h"
#include "Run/Model/Stages.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// A phase's waiting, by the phase whose work it waited for.
struct Waiting {
  int64_t HostNs = 0;
  std::map<std::string, int64_t> ForOthers;

  int64_t totalNs() const {
    int64_t Sum = 0;
    for (const auto &[Phase, Ns] : ForOthers)
      Sum = saturatingAdd(Sum, Ns);
    return Sum;
  }
};

std::string warningOf(const std::string &Phase, const Waiting &W) {
  std::vector<std::pair<std::string, int64_t>> Workers(W.ForOthers.begin(),
                                                       W.ForOthers.end());
  sortLargestFirst(Workers, [](const auto &A) { return A.second; });
  std::string Names;
  for (size_t I = 0; I < Workers.size(); ++I)
    Names +=
        fmt::format("{}{}{}",
                    I == 0                    ? ""
                    : I + 1 == Workers.size() ? " and "
                                              : ", ",
                    Workers[I].first,
                    Workers.size() == 1
                        ? ""
                        : fmt::format(" ({:.0f}%)",
                                      part(Workers[I].second, W.HostNs) * 100));
  return fmt::format("Warning: {} spends {:.0f}% of its host time waiting for "
                     "GPU work that {} launched.",
                     Phase, part(W.totalNs(), W.HostNs) * 100, Names);
}
} // namespace

std::vector<std::string> loopscope::waitWarnings(const Run &R) {
  std::map<std::string, Waiting> ByPhase;
  for (const GpuWait &W : R.Gpu.Waits) {
    if (W.Worker == None)
      continue;
    std::string Waiter = phaseOf(R, W.Waiter);
    std::string Worker = phaseOf(R, W.Worker);
    if (Waiter == Worker || R.Nodes[W.Waiter].Parent == None)
      continue;
    int64_t &Ns = ByPhase[Waiter].ForOthers[Worker];
    Ns = saturatingAdd(Ns, W.Ns);
  }
  // Host time of each name; nested spans of a name count once.
  for (uint32_t I = 0; I < R.Nodes.size() && !ByPhase.empty(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None || isFunction(N.Kind))
      continue;
    auto Found = ByPhase.find(treeName(R, N));
    if (Found == ByPhase.end())
      continue;
    bool IsNested = false;
    for (uint32_t Up = N.Parent; Up != None && !IsNested;
         Up = R.Nodes[Up].Parent)
      IsNested = R.Nodes[Up].Parent != None &&
                 treeName(R, R.Nodes[Up]) == Found->first;
    if (!IsNested)
      Found->second.HostNs = saturatingAdd(Found->second.HostNs, N.InclusiveNs);
  }
  std::vector<std::pair<int64_t, std::string>> Lines;
  for (const auto &[Phase, W] : ByPhase)
    if (part(W.totalNs(), W.HostNs) >= MostlyWaiting &&
        part(W.totalNs(), R.WallNs) >= WorthAWarning)
      Lines.emplace_back(-W.totalNs(), warningOf(Phase, W));
  std::sort(Lines.begin(), Lines.end());
  std::vector<std::string> Result;
  for (auto &[Order, Line] : Lines)
    Result.push_back(std::move(Line));
  return Result;
}
