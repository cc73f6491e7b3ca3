// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's calls are for.

#include "Instrument/Suggest/ScopeRoles.h"

#include <algorithm>

namespace loopscope::instrument {
namespace {

bool holds(const Roles &All, Role R) {
  return std::ranges::any_of(
      All, [&](const auto &Each) { return Each.second == R; });
}

Roles plainRoles(const Program &P, ScopeId S) {
  Roles All;
  for (const SeenCall &Call : P.scope(S).Calls)
    All.emplace_back(&Call, roleOf(Call));
  return All;
}

/// Whether the argument FLAG turns training on or off.
bool isMode(std::string_view Flag) {
  std::vector<std::string> W = wordsOf(Flag);
  std::erase_if(W, [](const std::string &Each) {
    return Each == "is" || Each == "do" || Each == "mode";
  });
  return W.size() == 1 && hasWord(W.front(), {"train", "training", "backward"});
}

} // namespace

bool learns(const Parts &P) {
  return P.contains(Role::Backward) || P.contains(Role::OptStep);
}

Roles rolesIn(const Program &P, ScopeId S) {
  Roles All = plainRoles(P, S);
  if (holds(All, Role::OptStep) || !holds(All, Role::Update))
    return All;
  std::vector<unsigned> Backward;
  for (int Each : S.isLoop() ? P.nest(S) : std::vector<int>{S.Scope}) {
    Roles Inner = plainRoles(P, {S.Body, Each});
    if (Each != S.Scope &&
        (holds(Inner, Role::OptStep) || holds(Inner, Role::Update)))
      continue;
    for (auto [Call, R] : Inner)
      if (R == Role::Backward)
        Backward.push_back(Call->Line);
  }
  if (Backward.empty())
    return All;
  for (bool Behind : {true, false})
    for (auto &[Call, R] : All)
      if (R == Role::Update &&
          (!Behind || std::ranges::min(Backward) <= Call->Line)) {
        R = Role::OptStep;
        return All;
      }
  return All;
}

Parts ownParts(const Program &P, ScopeId S) {
  Parts All;
  for (auto [Call, R] : rolesIn(P, S))
    if (isPart(R))
      All.insert(R);
  return All;
}

Parts partsOf(const Program &P, ScopeId Loop) {
  Parts All;
  for (int Each : P.nest(Loop))
    All.merge(ownParts(P, {Loop.Body, Each}));
  return All;
}

bool names(const Program &P, ScopeId Loop, bool (*Is)(std::string_view)) {
  const SeenScope &S = P.scope(Loop);
  return std::ranges::any_of(S.Names, Is) || std::ranges::any_of(S.Head, Is);
}

bool countsEpochs(const Program &P, ScopeId Loop) {
  const SeenScope &S = P.scope(Loop);
  return !S.Names.empty() && isEpochs(S.Names.front());
}

bool getsData(const Program &P, ScopeId Loop) {
  for (int Each : P.nest(Loop)) {
    ScopeId S{Loop.Body, Each};
    if (Each != Loop.Scope && P.assignsWeights(S))
      continue;
    if (Each != Loop.Scope && !ownParts(P, S).empty())
      continue;
    for (const SeenCall &Call : P.scope(S).Calls)
      if (roleOf(Call) == Role::Draw)
        return true;
  }
  return false;
}

std::pair<bool, bool> modes(const Program &P, ScopeId Loop) {
  bool Trains = false, Validates = false;
  for (const SeenCall &Call : P.scope(Loop).Calls)
    for (const std::string &Name : Call.Arguments) {
      // A flag is about the mode only if it is named like one.
      if (Name.starts_with("!"))
        Validates |= isMode(Name);
      else if (hasWord(Name, {"train", "training", "backward"}))
        Trains = true;
      else if (hasWord(Name, {"eval", "valid", "validation", "test"}))
        Validates = true;
    }
  return {Trains, Validates};
}

std::vector<int> allScopes(const Program &P, int Body) {
  std::vector<int> All;
  for (size_t I = 0; I < P.body(Body).Scopes.size(); ++I)
    All.push_back(static_cast<int>(I));
  return All;
}

} // namespace loopscope::instrument
