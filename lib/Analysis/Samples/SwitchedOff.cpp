// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches sampled functions to sites by file and name.

#include "Analysis/Samples/SwitchedOff.h"

#include "Analysis/Samples/SampledStacks.h"
#include "Support/FunctionPlaces.h"
#include "Support/Order.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
// The sites of functions that have or had hooks.
class HookedFunctions {
public:
  explicit HookedFunctions(const Run &R) {
    for (uint32_t I = 0; I < R.Sites.size(); ++I) {
      const Site &S = R.Sites[I];
      if (S.Kind == LOOPSCOPE_KIND_FUNCTION)
        Places.add({S.File, S.Name.empty() ? S.Function : S.Name, S.Line}, I);
    }
  }

  /// The site of a sampled function; None if it never had a hook.
  uint32_t find(const StackFunction &Of) const {
    return Places.find({Of.File, Of.Name, Of.Line}).value_or(None);
  }

private:
  FunctionPlaces Places;
};
} // namespace

std::vector<SwitchedOff> loopscope::switchedOff(const Run &R) {
  std::map<uint32_t, SwitchedOff> BySite;
  for (const Node &N : R.Nodes)
    if (N.Site != None && N.Kind == LOOPSCOPE_KIND_FUNCTION &&
        R.Sites[N.Site].OffSinceNs >= 0) {
      SwitchedOff &Of = BySite[N.Site];
      Of.Site = N.Site;
      Of.Calls += N.Spans.count();
      Of.SinceNs = R.Sites[N.Site].OffSinceNs;
    }
  std::vector<SwitchedOff> Result;
  for (auto &[Site, Of] : BySite)
    Result.push_back(Of);
  sortLargestFirst(Result, &SwitchedOff::Calls);
  return Result;
}

std::vector<TimeOfSwitchedOff> loopscope::timesOfSwitchedOff(const Run &R) {
  std::vector<TimeOfSwitchedOff> Result;
  if (R.Stacks.Samples.empty() || switchedOff(R).empty())
    return Result;
  HookedFunctions Hooked(R);
  std::map<std::pair<uint32_t, uint32_t>, int64_t> Found;
  for (const SampledStack &Stack : sampledStacks(R)) {
    if (Stack.Node == None || Stack.IsForeign)
      continue;
    for (auto Each = Stack.Functions.rbegin(); Each != Stack.Functions.rend();
         ++Each) {
      uint32_t Site = Hooked.find(*Each);
      if (Site == None)
        continue;
      if (R.Sites[Site].OffSinceNs >= 0 && R.Nodes[Stack.Node].Site != Site)
        Found[{Stack.Node, Site}] += Stack.Ns;
      break;
    }
  }
  std::map<uint32_t, int64_t> Left;
  for (const auto &[Key, Ns] : Found) {
    auto [Rest, IsFirst] = Left.try_emplace(
        Key.first, std::max<int64_t>(R.Nodes[Key.first].SelfNs, 0));
    int64_t Part = std::min(Ns, Rest->second);
    Rest->second -= Part;
    Result.push_back({Key.first, Key.second, Part});
  }
  return Result;
}
