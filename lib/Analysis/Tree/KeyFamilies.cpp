// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up call paths by phase and key.

#include "Analysis/Tree/KeyFamilies.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
// Neither a range nor of a kind that this version can't read.
bool isSingle(const SpanKey &K) {
  return K.Type != LOOPSCOPE_KEY_NONE && !K.isRange();
}

// Whether the call path \p I is inside another one of its phase, whose time has
// its own in it.
bool isRecursive(const Run &R, size_t I) {
  uint32_t Up = R.Nodes[I].Parent;
  while (Up != None && R.Nodes[Up].Site != R.Nodes[I].Site)
    Up = R.Nodes[Up].Parent;
  return Up != None;
}
} // namespace

int64_t KeyFamily::inclusiveNs() const {
  int64_t Sum = 0;
  for (const KeySums &Each : Keys)
    Sum = saturatingAdd(Sum, Each.InclusiveNs);
  return Sum;
}

std::vector<KeyFamily>
loopscope::keyFamilies(const Run &R, const std::vector<uint32_t> &GroupOf,
                       const GpuByNode *Gpu) {
  std::map<uint32_t, KeyFamily> Families; // by group
  std::map<std::pair<uint32_t, uint32_t>, size_t> PlaceOf;
  std::vector<bool> InWarmup(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    InWarmup[I] = N.Warmup || (N.Parent != None && InWarmup[N.Parent]);
    if (N.Key == None || N.Site == None || GroupOf[I] == None)
      continue;
    KeyFamily &Of = Families[GroupOf[I]];
    auto [Place, IsNew] =
        PlaceOf.try_emplace({GroupOf[I], N.Key}, Of.Keys.size());
    if (Of.Keys.empty()) {
      Of.Group = GroupOf[I];
      Of.Site = N.Site;
    }
    if (IsNew) {
      Of.Keys.emplace_back();
      Of.Keys.back().Key = N.Key;
    }
    KeySums &To = Of.Keys[Place->second];
    To.InclusiveNs = saturatingAdd(To.InclusiveNs, N.InclusiveNs);
    To.Spans.merge(N.Spans);
    To.Nodes.push_back(I);
    if (Gpu)
      To.Gpu.add(Gpu->inclusive(I));
    if (InWarmup[I])
      continue;
    Of.IsWhole = Of.IsWhole && isSingle(R.Keys[N.Key]) && !isRecursive(R, I);
    To.Steady.merge(N.Spans);
    To.SteadyNodes.push_back(I);
    if (N.Spans.count() != 0)
      Of.Threads.insert(N.Thread);
  }
  std::vector<KeyFamily> Result;
  for (auto &[Group, Each] : Families) {
    std::sort(Each.Keys.begin(), Each.Keys.end(),
              [&](const KeySums &A, const KeySums &B) {
                return isBefore(R.Keys[A.Key], R.Keys[B.Key]);
              });
    Result.push_back(std::move(Each));
  }
  return Result;
}

std::vector<KeyCell>
loopscope::keyCells(const std::vector<std::optional<int64_t>> &Values,
                    size_t Most) {
  size_t Count = std::min(Values.size(), Most);
  std::vector<KeyCell> Result;
  for (size_t I = 0; I < Count; ++I) {
    size_t First = I * Values.size() / Count;
    size_t End = (I + 1) * Values.size() / Count;
    // Nothing is less than any number.
    auto At = std::max_element(Values.begin() + static_cast<ptrdiff_t>(First),
                               Values.begin() + static_cast<ptrdiff_t>(End));
    Result.push_back(
        {First, End - First, static_cast<size_t>(At - Values.begin())});
  }
  return Result;
}
