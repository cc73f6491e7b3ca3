// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches sampled functions with sites by file and name.

#include "Analysis/SwitchedOff.h"

#include "Analysis/SampledStacks.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

using namespace loopscope;

namespace {
std::string_view lastPart(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

// "f" of "N::C<int>::f<(A)1>": without scopes and template arguments.
std::string_view plainName(std::string_view Name) {
  int Depth = 0;
  size_t End = Name.size();
  if (Name.ends_with('>') && Name.find("operator") == Name.npos)
    while (End != 0) {
      char C = Name[--End];
      Depth += C == '>' ? 1 : C == '<' ? -1 : 0;
      if (Depth == 0)
        break;
    }
  Name = Name.substr(0, End);
  size_t Scope = Name.rfind("::");
  return Scope == Name.npos ? Name : Name.substr(Scope + 2);
}

// Sites by the names of their file, without its directory, and function.
class HookedFunctions {
public:
  explicit HookedFunctions(const Run &P) : P(P) {
    for (uint32_t I = 0; I < P.Sites.size(); ++I) {
      const Site &S = P.Sites[I];
      if (S.Kind == LOOPSCOPE_KIND_FUNCTION)
        ByName.emplace(
            std::pair{lastPart(S.File),
                      plainName(S.Name.empty() ? S.Function : S.Name)},
            I);
    }
  }

  /// The site of a sampled function, that on its line among several; None: it
  /// never had a hook.
  uint32_t find(const StackFunction &Of) const {
    auto [First, Last] =
        ByName.equal_range({lastPart(Of.File), plainName(Of.Name)});
    for (auto Each = First; Each != Last; ++Each)
      if (P.Sites[Each->second].Line == Of.Line)
        return Each->second;
    return First != Last && std::next(First) == Last ? First->second : None;
  }

private:
  const Run &P;
  std::multimap<std::pair<std::string_view, std::string_view>, uint32_t> ByName;
};
} // namespace

std::vector<SwitchedOff> loopscope::switchedOff(const Run &P) {
  std::map<uint32_t, SwitchedOff> BySite;
  for (const Node &N : P.Nodes)
    if (N.Site != None && N.Kind == LOOPSCOPE_KIND_FUNCTION &&
        P.Sites[N.Site].OffSinceNs >= 0) {
      SwitchedOff &Of = BySite[N.Site];
      Of.Site = N.Site;
      Of.Calls += N.Spans.count();
      Of.SinceNs = P.Sites[N.Site].OffSinceNs;
    }
  std::vector<SwitchedOff> Result;
  for (auto &[Site, Of] : BySite)
    Result.push_back(Of);
  std::stable_sort(Result.begin(), Result.end(),
                   [](const SwitchedOff &A, const SwitchedOff &B) {
                     return A.Calls > B.Calls;
                   });
  return Result;
}

std::vector<TimeOfSwitchedOff> loopscope::timesOfSwitchedOff(const Run &P) {
  std::vector<TimeOfSwitchedOff> Result;
  if (P.Stacks.Samples.empty() || switchedOff(P).empty())
    return Result;
  HookedFunctions Hooked(P);
  std::map<std::pair<uint32_t, uint32_t>, int64_t> Found;
  for (const SampledStack &Stack : sampledStacks(P)) {
    if (Stack.Node == None || Stack.IsForeign)
      continue;
    for (auto Each = Stack.Functions.rbegin(); Each != Stack.Functions.rend();
         ++Each) {
      uint32_t Site = Hooked.find(*Each);
      if (Site == None)
        continue;
      if (P.Sites[Site].OffSinceNs >= 0 && P.Nodes[Stack.Node].Site != Site)
        Found[{Stack.Node, Site}] += Stack.Ns;
      break;
    }
  }
  std::map<uint32_t, int64_t> Left;
  for (const auto &[Key, Ns] : Found) {
    auto [Rest, IsFirst] = Left.try_emplace(
        Key.first, std::max<int64_t>(P.Nodes[Key.first].SelfNs, 0));
    int64_t Part = std::min(Ns, Rest->second);
    Rest->second -= Part;
    Result.push_back({Key.first, Key.second, Part});
  }
  return Result;
}
